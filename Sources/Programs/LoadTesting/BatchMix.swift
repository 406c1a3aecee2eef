import SeededRandom

/// The assignment of rows of an endless feed to batches. Each group of `sizes.count` batches has every size once, in a
/// pseudorandom order that is the same in every run.
public struct BatchMix: Equatable, Sendable {
  /// The sizes of batches in rows.
  public let sizes: [Int]

  /// - Parameter sizes: The sizes of batches in rows. There must be at least one, and all must be greater than 0.
  public init(sizes: [Int]) {
    precondition(!sizes.isEmpty && sizes.allSatisfy { $0 > 0 })
    self.sizes = sizes
  }

  /// Returns the indices of the rows of a batch.
  ///
  /// - Parameter number: The index of the batch, from 0.
  public func rows(ofBatch number: Int) -> Range<Int> {
    let (group, index) = number.quotientAndRemainder(dividingBy: sizes.count)
    var random = SplitMix(seed: UInt64(group))
    let order = sizes.shuffled(using: &random)
    let first = group * sizes.reduce(0, +) + order[..<index].reduce(0, +)
    return first..<first + order[index]
  }
}
