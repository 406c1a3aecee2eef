import Foundation
import SeededRandom

/// Makes of good input what a broken or hostile sender might send: bits flipped, numbers replaced by extreme ones, parts
/// cut, repeated, moved, and mixed with parts of other input.
public struct Mutator {
  public var random: SplitMix
  private let corpus: [[UInt8]]
  private let words: [[UInt8]]

  /// - Parameters:
  ///   - corpus: good inputs.
  ///   - words: what to put in now and then, such as a format's own words.
  public init(seed: UInt64, corpus: [[UInt8]], words: [String] = []) {
    random = SplitMix(seed: seed &+ Self.seed)
    self.corpus = corpus
    self.words = words.map { Array($0.utf8) }
  }

  /// Inputs a decoder is tried with: more, all different, with `GALLEY_FUZZ=1000000`.
  public static var count: Int {
    ProcessInfo.processInfo.environment["GALLEY_FUZZ"].flatMap { Int($0) } ?? 3000
  }

  /// Other inputs than usual, with `GALLEY_FUZZ_SEED=2`.
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
    let place = random.below(bytes.count)
    let length = min(1 + random.below(random.below(4) == 0 ? 64 : 8), bytes.count - place)
    switch random.below(9) {
    case 0: bytes[place] ^= 1 << UInt8(random.below(8))
    case 1: bytes[place] = UInt8(truncatingIfNeeded: random.next())
    case 2: bytes.removeSubrange(place..<place + length)
    case 3: bytes.insert(contentsOf: bytes[place..<place + length], at: random.below(bytes.count))
    case 4: bytes.removeLast(min(bytes.count, random.below(16) == 0 ? bytes.count - place : length))
    case 5: overwrite(&bytes, at: place, with: extreme())
    case 6:
      let other = corpus[random.below(corpus.count)]
      let from = random.below(other.count)
      overwrite(&bytes, at: place, with: Array(other[from..<min(from + length * 4, other.count)]))
    case 7 where !words.isEmpty: bytes.insert(contentsOf: words[random.below(words.count)], at: place)
    default: bytes.insert(contentsOf: (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }, at: place)
    }
  }

  private func overwrite(_ bytes: inout [UInt8], at place: Int, with new: [UInt8]) {
    let end = min(place + new.count, bytes.count)
    bytes.replaceSubrange(place..<end, with: new.prefix(end - place))
  }

  private mutating func extreme() -> [UInt8] {
    let numbers: [UInt64] = [0, 1, 0x7f, 0x80, 0xff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, UInt64(Int64.max), .max]
    let number = numbers[random.below(numbers.count)]
    return withUnsafeBytes(of: number.littleEndian) { Array($0.prefix([1, 2, 4, 8][random.below(4)])) }
  }
}
