import SeededRandom

/// Which rows of an endless feed a batch has: sizes in turn, each turn in an order of its own, the same in every run.
public struct BatchMix: Equatable, Sendable {
  /// Rows a batch.
  public let sizes: [Int]

  /// - Parameter sizes: at least one, each above 0.
  public init(sizes: [Int]) {
    precondition(!sizes.isEmpty && sizes.allSatisfy { $0 > 0 })
    self.sizes = sizes
  }

  /// - Parameter number: from 0.
  public func rows(ofBatch number: Int) -> Range<Int> {
    let (turn, place) = number.quotientAndRemainder(dividingBy: sizes.count)
    var random = SplitMix(seed: UInt64(turn))
    let order = sizes.shuffled(using: &random)
    let first = turn * sizes.reduce(0, +) + order[..<place].reduce(0, +)
    return first..<first + order[place]
  }
}
