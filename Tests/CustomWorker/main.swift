import CellTemplates
import Glibc
import GalleyWorker
import LayoutEngine

/// A cell with a quote and its author, which is aligned to the right. Narrow cells have a smaller font.
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
// A row takes 5 ms, so that tests can disturb the pool before a batch is complete.
cells.register("SlowCell") { row in
  usleep(5000)
  return quoteCell(row)
}
// Classes that crash or block the worker.
cells.register("CrashCell") { _ in fatalError("a cell class with a mistake") }
cells.register("EndlessCell") { _ in
  while true { usleep(10_000) }
}
// The memory is only reserved and not used, so that the class is harmless without a limit of the address space.
cells.register("GreedyCell") { _ in
  while true { _ = UnsafeMutableRawPointer.allocate(byteCount: 64 << 20, alignment: 16) }
}
// The memory is used, and is within the limit of most machines.
cells.register("HeavyCell") { row in
  _ = mmap(nil, 80 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0)
  return quoteCell(row)
}
cells.register("FailingCell") { _ in throw CellError("no such photo") }
WorkerOptions.main(cells)
