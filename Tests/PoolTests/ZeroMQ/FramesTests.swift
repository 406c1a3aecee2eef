import CReception
import SeededRandom
import Testing

/// Tests of the count of what frames take in memory.
@Suite struct FramesTests {
  private static let maxParts: UInt32 = 6

  private static func greeting(_ mechanism: String) -> [UInt8] {
    let name = Array(mechanism.utf8)
    return [0xff] + [UInt8](repeating: 0, count: 8) + [0x7f, 3, 1] + name
      + [UInt8](repeating: 0, count: 52 - name.count)
  }

  private static func frame(_ flags: UInt8, _ body: [UInt8], isLong: Bool = false) -> [UInt8] {
    guard isLong || body.count > 255 else { return [flags, UInt8(body.count)] + body }
    return [flags | 2] + withUnsafeBytes(of: UInt64(body.count).bigEndian) { Array($0) } + body
  }

  /// What a connection holds after its first bytes.
  fileprivate struct Count: Equatable {
    var unfinished: UInt64 = 0
    var finished: UInt64 = 0
    var fault = galley_fault_none
  }

  /// Returns the same from all bytes at once.
  private static func reference(_ bytes: ArraySlice<UInt8>) -> Count {
    var count = Count()
    for (index, expected) in [(0, { $0 == 0xff }), (9, { $0 & 1 == 1 }), (10, { $0 >= 3 })] as [(Int, (UInt8) -> Bool)]
    where index < bytes.count && !expected(bytes[index]) {
      return Count(fault: galley_fault_greeting)
    }
    guard bytes.count > 64 else { return count }
    let isEncrypted = bytes[12] == UInt8(ascii: "C")
    var (index, frames, parts) = (64, 0, 0)
    while index < bytes.count {
      let flags = bytes[index]
      let lengthBytes = flags & 2 == 0 ? 1 : 8
      guard bytes.count > index + lengthBytes else { break }
      let length = Int(clamping: bytes[(index + 1)...(index + lengthBytes)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
      let start = index + 1 + lengthBytes
      let available = min(length, bytes.count - start)
      let isCommand = frames < (isEncrypted ? 2 : 1) || (!isEncrypted && flags & 4 != 0)
      if isCommand {
        let isQueued = available > 0 && [6, 9].contains(bytes[start])
        if length > Int(GALLEY_COMMAND_LIMIT) || isQueued { return Count(count, galley_fault_command) }
      } else {
        parts += 1
        count.unfinished += UInt64(Int(GALLEY_PART_OVERHEAD) + available)
        if !isEncrypted && parts > maxParts {
          count.unfinished -= UInt64(available)
          return Count(count, galley_fault_parts)
        }
      }
      guard available == length else { break }
      if !isCommand && (isEncrypted || flags & 1 == 0) {
        count.finished += count.unfinished
        (count.unfinished, parts) = (0, 0)
      }
      frames += 1
      index = start + length
    }
    return count
  }

  /// Returns what the counter has after each piece of some bytes.
  private static func counts(_ bytes: [UInt8], cutAt cuts: [Int]) -> [Count] {
    var frames = galley_frames()
    var counts: [Count] = []
    var start = 0
    for end in cuts + [bytes.count] {
      let fault = bytes[start..<end].withUnsafeBufferPointer { piece in
        piece.baseAddress.map { galley_frames_read(&frames, $0, piece.count, maxParts) } ?? galley_fault_none
      }
      counts.append(Count(unfinished: frames.unfinished, finished: frames.finished, fault: fault))
      start = end
      if fault != galley_fault_none { break }
    }
    return counts
  }

  private static func randomFrame(_ random: inout SplitMix) -> [UInt8] {
    let length = random.below(4) == 0 ? random.below(700) : random.below(5)
    // Half of the parts are the last ones; one frame of eight is a command.
    let flags = UInt8(random.below(2)) | (random.below(8) == 0 ? 4 : 0)
    let body = (0..<length).map { _ in UInt8(random.below(256)) }
    return frame(flags, body, isLong: random.below(3) == 0)
  }

  /// Wherever the bytes are cut, and whatever they are, each piece ends with the same count as all bytes until there.
  @Test(arguments: ["NULL", "CURVE"])
  func piecesCountAsTheWhole(mechanism: String) {
    var random = SplitMix(seed: 23)
    for _ in 0..<1_000 {
      var bytes = Self.greeting(mechanism)
      bytes += Self.frame(4, Array("\u{5}READY".utf8)) + (mechanism == "NULL" ? [] : Self.frame(4, [8]))
      for _ in 0..<random.below(12) { bytes += Self.randomFrame(&random) }
      if random.below(4) == 0 { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
      let cuts = (0..<random.below(20)).map { _ in random.below(bytes.count + 1) }.sorted()
      let counts = Self.counts(bytes, cutAt: cuts)
      for (end, count) in zip(cuts + [bytes.count], counts) { #expect(count == Self.reference(bytes[..<end])) }
    }
  }

  @Test func aMessageThatEndsMakesRoomForTheNext() {
    let start = Self.greeting("NULL") + Self.frame(4, Array("\u{5}READY".utf8))
    let message = Self.frame(1, [1, 2, 3]) + Self.frame(0, [4])
    let count = Self.counts(start + message + message + Self.frame(1, []), cutAt: []).last
    let overhead = UInt64(GALLEY_PART_OVERHEAD)
    #expect(count == Count(unfinished: overhead, finished: 2 * (2 * overhead + 4)))
  }

  @Test func partsBeyondTheLimitAreAFault() {
    let start = Self.greeting("NULL") + Self.frame(4, Array("\u{5}READY".utf8))
    let parts = [[UInt8]](repeating: Self.frame(1, []), count: Int(Self.maxParts))
    #expect(Self.counts(start + parts.joined(), cutAt: []).last?.fault == galley_fault_none)
    // Heartbeats may come between them.
    let heartbeat = Self.frame(4, Array("\u{4}PING".utf8))
    #expect(Self.counts(start + parts.joined(separator: heartbeat), cutAt: []).last?.fault == galley_fault_none)
    #expect(Self.counts(start + parts.joined() + [1, 0], cutAt: []).last?.fault == galley_fault_parts)
  }

  /// The metadata of a handshake stay in memory, and subscriptions are queued.
  @Test func commandsThatTakeMemoryAreAFault() {
    let long = [UInt8](repeating: 5, count: Int(GALLEY_COMMAND_LIMIT) + 1)
    for flags in [0, 1, 4] as [UInt8] {
      #expect(
        Self.counts(Self.greeting("NULL") + Self.frame(flags, long), cutAt: []).last?.fault == galley_fault_command)
    }
    let start = Self.greeting("NULL") + Self.frame(4, Array("\u{5}READY".utf8))
    let subscription = Self.frame(5, Array("\u{9}SUBSCRIBE".utf8))
    #expect(Self.counts(start + subscription, cutAt: []).last?.fault == galley_fault_command)
  }

  /// ZMTP 1 and 2 have other frames.
  @Test func earlierProtocolsAreAFault() {
    #expect(Self.counts([1, 0], cutAt: []).last?.fault == galley_fault_greeting)
    #expect(Self.counts([0xff] + [UInt8](repeating: 0, count: 9), cutAt: []).last?.fault == galley_fault_greeting)
    let second = [0xff] + [UInt8](repeating: 0, count: 8) + [0x7f, 1]
    #expect(Self.counts(second, cutAt: []).last?.fault == galley_fault_greeting)
  }
}

extension FramesTests.Count {
  fileprivate init(_ other: Self, _ fault: galley_fault) {
    self = other
    self.fault = fault
  }
}
