import Buffers
import TableFormats
import Testing

@testable import LayoutTables

/// Tests of the columns of a record batch.
@Suite struct TableBatchTests {
  @Test func recordsAreCountedByAFirstColumnOfNumbersOrOfStrings() {
    let lines = TableBatch(StreamLineColumns.init)
    let spans = TableBatch(TextSpanColumns<UInt16, Int32, UnsafeMutablePointer<ColumnBuffer>>.init)
    for count in 0..<5 {
      #expect(lines.count == count && spans.count == count)
      lines.columns.node.append(ByteString("title"))
      spans.columns.line.append(0)
    }
    lines.removeAll()
    #expect(lines.count == 0)
  }
}
