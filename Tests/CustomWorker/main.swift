import CellTemplates
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

func quoteCell(_ row: RowFields) -> QuoteCell {
  QuoteCell(quote: row["quote"].string ?? "", author: row["author"].string ?? "?")
}

var cells = CellRegistry()
cells.register("QuoteCell", quoteCell)
// Time for something to happen meanwhile.
cells.register("SlowCell") { row in
  usleep(5000)
  return quoteCell(row)
}
// What rows may do to a worker.
cells.register("CrashCell") { _ in fatalError("a cell class with a mistake") }
cells.register("EndlessCell") { _ in
  while true { usleep(10_000) }
}
// Reserved only, so that it costs nothing where there is no limit to be hit.
cells.register("GreedyCell") { _ in
  while true { _ = UnsafeMutableRawPointer.allocate(byteCount: 64 << 20, alignment: 16) }
}
cells.register("FailingCell") { _ in throw CellError("no such photo") }
WorkerOptions.main(cells)
