import Foundation
import GalleyTestSupport
import SeededRandom
import Testing

@testable import ListTables

/// Tests of array diffing: it finds the common subsequence that Texture finds.
@Suite struct SequenceDiffTests {
  private struct Facts: Decodable {
    struct Common: Decodable {
      let from, to: [String]
      let expect: [Int]
    }

    struct Operations: Decodable {
      let from, to: [String]
      let insertions, deletions: [Int]
      let moves: [[Int]]?
    }

    let commonIndexes: [Common]
    let insertionsDeletions: [Operations]
    let withMoves: [Operations]
  }

  private func facts() throws -> Facts {
    try JSONDecoder().decode(Facts.self, from: Data(contentsOf: Fixtures.url("array-diffing.json")))
  }

  private func diff<Element: Equatable>(_ old: [Element], _ new: [Element]) -> SequenceDiff {
    SequenceDiff(newIndices: old.map { new.firstIndex(of: $0).map { Int32($0) } ?? SequenceDiff.none })
  }

  private func commonIndexes(_ diff: SequenceDiff) -> [Int] { diff.isCommon.indices.filter { diff.isCommon[$0] } }

  // MARK: Texture's own tests

  @Test func commonIndexesAreThoseOfTexturesTests() throws {
    let facts = try facts().commonIndexes
    #expect(facts.count == 5)
    for fact in facts { #expect(commonIndexes(diff(fact.from, fact.to)) == fact.expect, "\(fact)") }
  }

  @Test func insertionsAndDeletionsAreThoseOfTexturesTests() throws {
    let facts = try facts().insertionsDeletions
    #expect(facts.count == 8)
    for fact in facts {
      let diff = diff(fact.from, fact.to)
      let common = commonIndexes(diff)
      #expect(fact.from.indices.filter { !common.contains($0) } == fact.deletions, "\(fact)")
      let kept = common.map { Int(diff.newIndices[$0]) }
      #expect(fact.to.indices.filter { !kept.contains($0) } == fact.insertions, "\(fact)")
    }
  }

  @Test func movesAreThoseOfTexturesTests() throws {
    let facts = try facts().withMoves
    #expect(facts.count == 9)
    for fact in facts {
      let operations = operations(fact.from, fact.to)
      #expect(operations.deletions == fact.deletions, "\(fact)")
      #expect(operations.insertions == fact.insertions, "\(fact)")
      #expect(operations.moves == fact.moves, "\(fact)")
    }
  }

  /// Returns the insertions, deletions and moves that follow from the steps of the old elements.
  private func operations<Element: Hashable>(
    _ old: [Element], _ new: [Element]
  ) -> (insertions: [Int], deletions: [Int], moves: [[Int]]) {
    let diff = diff(old, new)
    let stays = old.indices.filter { [.moved, .kept].contains(diff.step(of: $0)) }.map { Int(diff.newIndices[$0]) }
    return (
      new.indices.filter { !stays.contains($0) },
      old.indices.filter { [.removed, .reinserted].contains(diff.step(of: $0)) },
      old.indices.filter { diff.step(of: $0) == .moved }.map { [$0, Int(diff.newIndices[$0])] }.sorted { $0[1] < $1[1] }
    )
  }

  // MARK: Properties

  @Test func theCommonSubsequenceIsThatOfTheQuadraticAlgorithm() {
    var random = SplitMix(seed: 11)
    for _ in 0..<4000 {
      let (old, new) = randomArrays(&random, count: 12)
      #expect(commonIndexes(diff(old, new)) == NaiveDiff.commonIndexes(old, new), "\(old) \(new)")
    }
  }

  @Test func theStepsAreThoseOfTheQuadraticAlgorithm() {
    var random = SplitMix(seed: 12)
    var reinserted = 0
    for _ in 0..<2000 {
      let (old, new) = randomArrays(&random, count: 8)
      let operations = operations(old, new)
      let expected = NaiveDiff.Moves(old, new)
      #expect(operations.insertions == expected.insertions, "\(old) \(new)")
      #expect(operations.deletions == expected.deletions, "\(old) \(new)")
      #expect(operations.moves == expected.moves, "\(old) \(new)")
      reinserted += operations.deletions.count { new.contains(old[$0]) }
    }
    #expect(reinserted > 0)
  }

  /// Returns two arrays without equal elements that have some elements in common.
  private func randomArrays(_ random: inout SplitMix, count: Int) -> ([Int], [Int]) {
    let old = shuffled(Array(0..<random.below(count)), &random)
    var new = old.filter { _ in random.below(5) > 0 } + (0..<random.below(4)).map { 100 + $0 }
    // Shuffled completely or nearly in order.
    if random.below(2) == 0 {
      new = shuffled(new, &random)
    } else {
      for _ in 0..<random.below(4) where new.count > 1 { new.swapAt(random.below(new.count), random.below(new.count)) }
    }
    return (old, new)
  }

  private func shuffled(_ array: [Int], _ random: inout SplitMix) -> [Int] {
    var array = array
    for index in array.indices.reversed() { array.swapAt(index, random.below(index + 1)) }
    return array
  }
}
