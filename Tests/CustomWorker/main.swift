import CellModels
import Glibc
import GalleyWorker
import LayoutEngine

/// A quote with its author at the right; tall ones are shown small.
struct QuoteCell: CellNode {
  let quote: String
  let author: String

  func layoutSpecThatFits(_ constrainedSize: SizeRange) -> any LayoutElement {
    InsetLayoutSpec(insets: EdgeInsets(12)) {
      StackLayoutSpec(.vertical, spacing: 4) {
        TextNode("quote", quote, font: constrainedSize.max.width < 300 ? "small" : "body")
        TextNode("author", author, font: "small").styled { $0.alignSelf = .end }
      }
    }
  }
}

var cells = CellRegistry()
cells.register("QuoteCell") { row in QuoteCell(quote: row["quote"].string ?? "", author: row["author"].string ?? "?") }
// What rows may do to a worker.
cells.register("CrashCell") { _ in fatalError("a cell class with a mistake") }
cells.register("EndlessCell") { _ in
  while true { usleep(10_000) }
}
cells.register("FailingCell") { _ in throw CellError("no such photo") }
WorkerOptions.main(cells)
