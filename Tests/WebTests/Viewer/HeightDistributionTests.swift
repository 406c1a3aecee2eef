import Foundation
import GalleyTestSupport
import ListTables
import SeededRandom
import Testing

@testable import Viewer

/// Tests of the distribution of heights against sorted heights.
@Suite struct HeightDistributionTests {
  @Test func quantilesAreThoseOfTheSortedHeights() throws {
    for count in [1, 2, 7, 60, 300] {
      let sample = try ViewedSample(ViewedSample.rows(count), widths: [200 + Double(count)])
      let heights = try ViewedRun(sample.directory).variants[0].tables.heights
      let sorted = (0..<count).filter { !heights.isBad($0) }.map { heights.height(of: $0) }.sorted()
      let distribution = HeightDistribution(heights)
      func rank(_ part: Double) -> Float { sorted[max(Int((part * Double(sorted.count)).rounded(.up)), 1) - 1] }
      #expect(distribution.minimum == sorted.first)
      #expect(distribution.median == rank(0.5))
      #expect(distribution.nineTenths == rank(0.9))
      #expect(distribution.maximum == sorted.last)
      #expect(distribution.counts.reduce(0, +) == sorted.count)
      #expect(distribution.bounds.count == distribution.counts.count + 1)
      for (bin, bound) in distribution.bounds.dropFirst().dropLast().enumerated() {
        let below = distribution.counts[...bin].reduce(0, +)
        let expected = sorted.count { Double($0) < bound }
        // A height at a bound may be on either side of its rounded number.
        #expect(abs(below - expected) <= sorted.count { abs(Double($0) - bound) < 1e-6 })
      }
    }
  }

  /// Replaces the heights of a table, and the offsets that are sums of them.
  private func table(with heights: [Float]) throws -> Heights {
    let sample = try ViewedSample(ViewedSample.rows(heights.count), widths: [390])
    let path = sample.directory + "/w390/heights.arrow"
    let table = try Heights(path)
    let rows = 0..<heights.count
    func column<Number>(_ numbers: [Number]) -> Data { numbers.withUnsafeBytes { Data($0) } }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    func replace<Number>(_ numbers: [Number], with others: [Number]) throws {
      bytes.replaceSubrange(try #require(bytes.range(of: column(numbers))), with: column(others))
    }
    var sum = 0.0
    let tops = heights.map { height in
      defer { sum += Double(height) }
      return sum
    }
    try replace(rows.map { table.height(of: $0) }, with: heights)
    try replace(rows.map { table.offset(of: $0) }, with: tops)
    try bytes.write(to: URL(fileURLWithPath: path))
    return try Heights(path)
  }

  @Test func aTallRowIsInTheLastOfNarrowBins() throws {
    let low = [Float](repeating: .leastNonzeroMagnitude, count: 198)
    let heights = try table(with: [.greatestFiniteMagnitude, -0.0] + low)
    let distribution = HeightDistribution(heights)
    #expect(distribution.counts.reduce(0, +) == (0..<200).count { !heights.isBad($0) })
    #expect(distribution.counts.last == 1 && distribution.counts.count == 41)
  }

  @Test func aListOfBadRowsHasNoDistribution() throws {
    let sample = try ViewedSample([#"{"cell":"None"}"#], widths: [390])
    let distribution = HeightDistribution(try ViewedRun(sample.directory).variants[0].tables.heights)
    #expect(distribution.counts.isEmpty && distribution.maximum == 0)
  }
}
