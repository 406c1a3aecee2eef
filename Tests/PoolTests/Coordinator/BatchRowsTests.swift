import Buffers
import PoolProtocol
import SeededRandom
import Testing

@testable import PoolCoordinatorCore

/// Tests of the bound on the rows that a client has under way.
@Suite struct BatchRowsTests {
  private static let lines = OwnedBytes(copying: Array(repeating: UInt8(ascii: "1"), count: 49) + [0x0a])

  /// Sends rows of 50 bytes until the batch fails. Returns the number of rows that came before that.
  private func rowsUntilFailure(_ coordinator: CoordinatorUnderTest, afterEach: () -> Void = {}) -> Int? {
    for row in 0..<100 as Range<UInt64> {
      let effects = coordinator.sendRows(row..<row + 1, isLast: false, lines: Self.lines)
      if let failure = effects.first(where: { $0.hasPrefix("failed: ") }) {
        #expect(failure.contains("which exceed its window"))
        return Int(row)
      }
      afterEach()
    }
    return nil
  }

  /// The window has 300 bytes, and a client that keeps it can be one chunk of 100 bytes beyond it.
  @Test(arguments: [false, true]) func aClientThatIgnoresItsWindowFails(keepsBatches: Bool) {
    let coordinator = CoordinatorUnderTest(keepsBatches: keepsBatches, window: 300)
    coordinator.open()
    #expect(rowsUntilFailure(coordinator) == 8)
    #expect(coordinator.core.batchNames.isEmpty)
  }

  @Test func rowsThatAreStoredNoLongerCountForAClientThatDetaches() {
    let coordinator = CoordinatorUnderTest(window: 300)
    coordinator.open(isDetached: true)
    #expect(rowsUntilFailure(coordinator, afterEach: { coordinator.noteAppended() }) == nil)
  }

  @Test func rowsWhoseResultsAreSentNoLongerCount() {
    let coordinator = CoordinatorUnderTest(keepsBatches: false, window: 300).withBatch()
    #expect(rowsUntilFailure(coordinator, afterEach: { coordinator.sendResult(rows: 1) }) == nil)
  }

  /// Whatever the sizes of chunks and the delays are, a client that sends while less than its window is under way is never
  /// beyond the bound.
  @Test func aClientThatKeepsItsWindowIsWithinTheBound() {
    var random = SplitMix(seed: 3)
    for _ in 0..<200 {
      var flow = FlowControl()
      (flow.firstChunk, flow.largestChunk) = (random.below(2_000), 1 + random.below(3_000))
      let size = 1 + random.below(5_000)
      var rows = BatchRows()
      rows.openWindow(UInt64(size))
      var underWay: [(endRow: UInt64, bytes: Int)] = []
      var row: UInt64 = 0
      for _ in 0..<100 {
        if underWay.reduce(0, { $0 + $1.bytes }) < size {
          let lines = OwnedBytes(copying: [UInt8](repeating: 0x0a, count: random.below(flow.largestChunk + 1)))
          let chunk = RowsChunk(lines, firstLine: 1, firstRow: row, rows: UInt32(random.below(3)))
          row = chunk.endRow
          underWay.append((row, lines.count))
          let isWithinBound = rows.receive(chunk, flow)
          #expect(isWithinBound)
        }
        // The coordinator releases rows, and the client learns of some of that.
        let released = underWay.isEmpty ? row : underWay[random.below(underWay.count)].endRow
        rows.releaseWindow(upTo: released)
        underWay.removeFirst(random.below(underWay.prefix { $0.endRow <= released }.count + 1))
      }
    }
  }
}
