import Foundation
import SeededRandom

/// A generator of malformed inputs. It flips bits, replaces numbers by extreme ones, removes, repeats and moves parts
/// of valid inputs, and mixes them.
public struct Mutator {
  public var random: SplitMix
  private let corpus: [[UInt8]]
  private let words: [[UInt8]]

  /// - Parameters:
  ///   - corpus: The valid inputs.
  ///   - words: Byte sequences that are inserted occasionally, such as keywords of the format.
  public init(seed: UInt64, corpus: [[UInt8]], words: [String] = []) {
    random = SplitMix(seed: seed &+ Self.seed)
    self.corpus = corpus
    self.words = words.map { Array($0.utf8) }
  }

  /// The number of inputs for each decoder, which `GALLEY_FUZZ=1000000` changes.
  public static var count: Int {
    ProcessInfo.processInfo.environment["GALLEY_FUZZ"].flatMap { Int($0) } ?? 3000
  }

  /// The seed of the inputs, which `GALLEY_FUZZ_SEED=2` changes.
  private static var seed: UInt64 {
    ProcessInfo.processInfo.environment["GALLEY_FUZZ_SEED"].flatMap { UInt64($0) } ?? 0
  }

  public mutating func next() -> [UInt8] {
    var bytes = corpus[random.below(corpus.count)]
    for _ in 0...random.below(4) { change(&bytes) }
    return bytes
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return bytes = [UInt8(truncatingIfNeeded: random.next())] }
    let offset = random.below(bytes.count)
    let length = min(1 + random.below(random.below(4) == 0 ? 64 : 8), bytes.count - offset)
    switch random.below(9) {
    case 0: bytes[offset] ^= 1 << UInt8(random.below(8))
    case 1: bytes[offset] = UInt8(truncatingIfNeeded: random.next())
    case 2: bytes.removeSubrange(offset..<offset + length)
    case 3: bytes.insert(contentsOf: bytes[offset..<offset + length], at: random.below(bytes.count))
    case 4: bytes.removeLast(min(bytes.count, random.below(16) == 0 ? bytes.count - offset : length))
    case 5: overwrite(&bytes, at: offset, with: extreme())
    case 6:
      let other = corpus[random.below(corpus.count)]
      let from = random.below(other.count)
      overwrite(&bytes, at: offset, with: Array(other[from..<min(from + length * 4, other.count)]))
    case 7 where !words.isEmpty: bytes.insert(contentsOf: words[random.below(words.count)], at: offset)
    default: bytes.insert(contentsOf: (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }, at: offset)
    }
  }

  private func overwrite(_ bytes: inout [UInt8], at offset: Int, with new: [UInt8]) {
    let end = min(offset + new.count, bytes.count)
    bytes.replaceSubrange(offset..<end, with: new.prefix(end - offset))
  }

  private mutating func extreme() -> [UInt8] {
    let numbers: [UInt64] = [0, 1, 0x7f, 0x80, 0xff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, UInt64(Int64.max), .max]
    let number = numbers[random.below(numbers.count)]
    return withUnsafeBytes(of: number.littleEndian) { Array($0.prefix([1, 2, 4, 8][random.below(4)])) }
  }
}
