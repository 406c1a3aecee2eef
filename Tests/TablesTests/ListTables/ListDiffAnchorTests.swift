import SeededRandom
import Testing

@testable import ListTables

/// Tests of the offset that keeps a row where it is on the screen.
@Suite struct ListDiffAnchorTests {
  private func diff(_ old: [SampleList.Row], _ new: [SampleList.Row]) throws -> ListDiff {
    let (old, new) = (try SampleList(old), try SampleList(new))
    return try ListDiff(from: MappedTables(old.path), to: MappedTables(new.path))
  }

  private func rows(_ heights: KeyValuePairs<String, Float>) -> [SampleList.Row] {
    heights.map { .init(id: $0.key, height: $0.value) }
  }

  @Test func theAnchorStaysWhereItWas() throws {
    let diff = try diff(rows(["a": 10, "b": 20, "c": 30]), rows(["n": 5, "a": 10, "b": 25, "c": 30]))
    #expect(try diff.anchor(withID: "c") == .row(2))
    #expect(diff.offset(keeping: 2, at: 32) == 42)
    #expect(diff.offset(keeping: 0, at: -3) == 2)
  }

  /// A new message of an inverted chat is row 0, at the bottom of the screen.
  @Test(arguments: [false, true])
  func rowsBeforeTheFirstOneDoNotMoveWhatIsOnTheScreen(isInverted: Bool) throws {
    let old = rows(["a": 10, "b": 20, "c": 30, "d": 40])
    let new = rows(["n": 15, "m": 5]) + old
    let diff = try diff(old, new)
    let lists = try [SampleList(old), SampleList(new)]
    let placements = try lists.map { RowPlacement(try MappedTables($0.path).heights, isInverted: isInverted) }
    let offset = try #require(diff.offset(keeping: 2, at: 32))
    for row in old.indices {
      #expect(
        placements[1].screenPosition(of: row + 2, offset: offset, viewport: 50)
          == placements[0].screenPosition(of: row, offset: 32, viewport: 50))
    }
  }

  @Test func aRowAboveTakesThePlaceOfARemovedAnchor() throws {
    let diff = try diff(rows(["a": 10, "b": 20, "c": 30, "d": 40]), rows(["n": 1, "a": 10, "d": 40]))
    #expect(diff.offset(keeping: 2, at: 35) == 36)
  }

  @Test func aRowBelowTakesThePlaceOfAnAnchorThatNoRowIsLeftAbove() throws {
    let diff = try diff(rows(["a": 10, "b": 20, "c": 30]), rows(["c": 30]))
    #expect(diff.offset(keeping: 0, at: 35) == 5)
  }

  @Test func anAnchorIsNotFoundInAListWithoutItsRows() throws {
    let diff = try diff(rows(["a": 10]), rows(["b": 10]))
    #expect(diff.offset(keeping: 0, at: 35) == nil)
    #expect(try diff.anchor(withID: "b") == .inserted)
    #expect(try diff.anchor(withID: "c") == .unknown)
    #expect(try diff.anchor(withID: "") == .unknown)
  }

  @Test func offsetsOfRandomEditsAreThoseOfANaiveSearch() throws {
    var random = SplitMix(seed: 41)
    for _ in 0..<30 {
      let old = RandomEdits.rows(1 + random.below(20), &random)
      let new = RandomEdits.edit(old, &random)
      let ids = [old, new].map { NaiveDiff.numbered($0.map(\.id)) }
      let diff = try diff(old, new)
      for anchor in old.indices {
        let order = Array((0...anchor).reversed()) + Array(anchor..<old.count)
        let row = order.first { ids[1].contains(ids[0][$0]) }
        let expected = row.flatMap { row in
          ids[1].firstIndex(of: ids[0][row]).map { newRow in
            100 - old[..<row].reduce(0) { $0 + Double($1.height) } + new[..<newRow].reduce(0) { $0 + Double($1.height) }
          }
        }
        #expect(diff.offset(keeping: anchor, at: 100) == expected)
      }
    }
  }
}
