import Buffers
import ListTables

/// The distribution of the heights of the good rows. It is exact and needs the same memory for any number of rows:
/// heights are counted by the upper and then by the lower half of their bits.
struct HeightDistribution: Sendable {
  /// The edges of the bins, one more than there are bins.
  private(set) var bounds: [Double] = []
  /// The number of rows in each bin.
  private(set) var counts: [Int] = []
  let minimum, median, nineTenths, maximum: Float

  private static let binCount = 40
  /// The bins have the same width up to this part of the rows. The last one has the rest, because single rows may be very
  /// tall.
  private static let regularPart = 0.99

  init(_ heights: Heights) {
    let upper = Self.counts(heights) { Int($0 >> 16) }
    func quantile(_ part: Double) -> Float { Self.quantile(part, heights, upper) }
    (minimum, median, nineTenths, maximum) = (quantile(0), quantile(0.5), quantile(0.9), quantile(1))
    let regular = Double(max(quantile(Self.regularPart), minimum))
    let width = (regular - Double(minimum)) / Double(Self.binCount)
    guard upper.contains(where: { $0 > 0 }) else { return }
    guard width > 0 else {
      (bounds, counts) = ([Double(minimum), Double(maximum)], [upper.reduce(0, +)])
      return
    }
    bounds = (0...Self.binCount).map { Double(minimum) + Double($0) * width }
    if Double(maximum) > regular { bounds.append(Double(maximum)) }
    counts = [Int](repeating: 0, count: bounds.count - 1)
    Self.forEachBits(heights) { bits in
      let height = Double(Float(bitPattern: bits))
      let bin = height > regular ? counts.count - 1 : min(Int((height - Double(minimum)) / width), Self.binCount - 1)
      counts[bin] += 1
    }
  }

  /// Returns the height that a part of the rows does not exceed, by the nearest rank.
  private static func quantile(_ part: Double, _ heights: Heights, _ upper: [Int]) -> Float {
    let total = upper.reduce(0, +)
    guard total > 0 else { return 0 }
    var rank = max(Int((part * Double(total)).rounded(.up)), 1)
    func bin(_ counts: [Int]) -> Int {
      for (index, count) in counts.enumerated() {
        if rank <= count { return index }
        rank -= count
      }
      return counts.count - 1
    }
    let high = bin(upper)
    let lower = counts(heights) { Int($0 >> 16) == high ? Int($0 & 0xffff) : nil }
    return Float(bitPattern: UInt32(high) << 16 | UInt32(bin(lower)))
  }

  /// Returns how many heights have each number that `index` returns for their bits.
  private static func counts(_ heights: Heights, _ index: (UInt32) -> Int?) -> [Int] {
    var counts = [Int](repeating: 0, count: 1 << 16)
    forEachBits(heights) { bits in
      if let index = index(bits) { counts[index] += 1 }
    }
    return counts
  }

  /// Calls a function with the bits of the height of each good row. Heights are not negative, so that their bits have the
  /// order of the heights; those of -0 are replaced by those of 0.
  private static func forEachBits(_ heights: Heights, _ body: (UInt32) -> Void) {
    heights.forEachRun(0..<heights.rowCount) { columns, indices in
      for index in indices where columns.error.isNull(at: index) {
        let height = columns.height[index]
        body(height > 0 ? height.bitPattern : 0)
      }
    }
  }

  func append(to json: inout JSONText) {
    json.append(#"{"bounds":"#, bounds)
    json.append(#","counts":"#, counts)
    json.append(#","minimum":"#, minimum)
    json.append(#","median":"#, median)
    json.append(#","p90":"#, nineTenths)
    json.append(#","maximum":"#, maximum)
    json.append("}")
  }
}
