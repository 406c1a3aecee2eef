import Buffers
import CLinux
import Foundation
import GalleyTestSupport
import Glibc
import PoolProtocol
import SeededRandom
import Testing

@testable import PoolMemory
@testable import PosixMemory

/// Tests of memory that two processes map. In these tests, one process has both roles.
@Suite struct SharedMemoryTests {
  private func both() throws -> (own: SharedMemory, peers: PeerMemory) {
    let own = try #require(SharedMemory(SystemMemory()))
    return (own, try #require(PeerMemory(own.reference, SystemMemory())))
  }

  private func fill(_ memory: SharedMemory, _ size: Int, with byte: UInt8) -> SharedRange? {
    memory.leave(count: size) { memset($0, Int32(byte), size) }
  }

  /// Returns whether all bytes of `content` are equal to `byte`.
  private func holds(_ content: OwnedBytes, _ byte: UInt8) -> Bool {
    content.withBytes { bytes in
      guard let start = bytes.baseAddress, let first = bytes.first else { return true }
      return first == byte && memcmp(start, start + 1, bytes.count - 1) == 0
    }
  }

  @Test func bytesThatOneProcessLeavesAreReadByTheOther() throws {
    let (own, peers) = try both()
    let lines = OwnedBytes(copying: Array("lines".utf8))
    let left = try #require(own.leave(lines))
    #expect(peers.bytes(of: left).map { Array($0.bytes) } == Array(lines.bytes))
  }

  /// A defective worker that writes to the program ends, and does not change the program of other workers.
  @Test func otherProcessesCanOnlyReadAProgram() throws {
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
    let shared = try #require(
      SharedProgram(
        [Array(bytes[..<9]), Array(bytes[9...])].map { OwnedBytes(copying: $0) }, sharesFiles: true, SystemMemory()))
    #expect(PeerMemory(shared.range.memory, SystemMemory()) == nil)
    let read = try #require(PeerMemoryChannel(SystemMemory()).program(shared.range, shared.files))
    #expect(joined(read) == bytes && joined(shared.parts) == bytes && shared.files == [])
    var marked = shared.range
    (marked.mark, marked.slot) = (1, 1)
    #expect(PeerMemoryChannel(SystemMemory()).program(marked, []) == nil)
  }

  @Test func mappedFilesOfAProgramAreMappedInsteadOfCopied() throws {
    let parts = [OwnedBytes(copying: Array("head".utf8))] + (try ["one", "two"].map(OwnedBytes.mapped))
    let shared = try #require(SharedProgram(parts, sharesFiles: true, SystemMemory()))
    #expect(shared.range.count == 4 && shared.files.map(\.count) == [3, 3])
    let channel = PeerMemoryChannel(SystemMemory())
    #expect(channel.program(shared.range, shared.files).map(joined) == Array("headonetwo".utf8))
    for change in [
      { (file: inout SharedFile) in file.inode += 1 }, { $0.count += 1 }, { $0.descriptor = .max }, { $0.process = 1 },
    ] {
      var changed = shared.files
      change(&changed[1])
      #expect(channel.program(shared.range, changed) == nil)
    }
    let mixed = try #require(
      SharedProgram([parts[1], parts[0], parts[2]], sharesFiles: true, SystemMemory()))
    #expect(mixed.range.count == 7 && mixed.files == Array(shared.files.suffix(1)))
    let copied = try #require(SharedProgram(parts, sharesFiles: false, SystemMemory()))
    #expect(copied.range.count == 10 && copied.files == [] && joined(copied.parts) == Array("headonetwo".utf8))
  }

  private func joined(_ parts: [OwnedBytes]) -> [UInt8] { parts.flatMap { Array($0.bytes) } }

  @Test func piecesAreReadAsTheyWereLeft() throws {
    let (own, peers) = try both()
    for sizes in [[7, 0, 3, 64, 65, 200], [0], [], [1], [64, 64], [5, 0], [0, 0, 9]] {
      let left = try #require(own.leave(pieces: sizes) { memset($1, Int32($0 + 1), sizes[$0]) })
      let pieces = try #require(peers.pieces(of: left))
      #expect(pieces.map(\.count) == sizes)
      for (index, content) in pieces.enumerated() { #expect(holds(content, UInt8(index + 1))) }
    }
  }

  @Test func piecesThatExceedTheirBytesAreRefused() throws {
    let (own, peers) = try both()
    for pieces in [[101], [.max], [64, 37], [37, 37], [100, 0], [64, .max], [100, 100]] as [[UInt64]] {
      var left = try #require(fill(own, 100, with: 1))
      left.pieces = pieces
      #expect(peers.pieces(of: left) == nil, "\(pieces)")
    }
  }

  /// Leaves and reads bytes in a seeded order. Bytes that are not read yet are not overwritten, and their ranges are
  /// used again afterwards.
  @Test(arguments: 1...10) func bytesAreNotOverwrittenBeforeTheyAreRead(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let (own, peers) = try both()
    var unread: [(content: OwnedBytes, byte: UInt8, size: Int)] = []
    var refused = 0
    for step in 0..<400 {
      let byte = UInt8(truncatingIfNeeded: step)
      let size = Int(random.next() % 1_500_000)
      if let left = fill(own, size, with: byte) {
        unread.append((try #require(peers.bytes(of: left)), byte, size))
      } else {
        refused += 1
        #expect(unread.reduce(0) { $0 + $1.size } + size > SystemMemory().channelBytes / 3)
      }
      while unread.count > 20 + Int(random.next() % 30) {
        let (content, byte, size) = unread.remove(at: Int(random.next() % UInt64(unread.count)))
        #expect(content.count == size && holds(content, byte))
      }
    }
    #expect(refused > 0)
    unread = []
    let room = SystemMemory().channelBytes - MemoryRegion.headerSize
    #expect(fill(own, room + 1, with: 0) == nil)
    #expect(fill(own, room, with: 0)?.offset == UInt64(MemoryRegion.headerSize))
  }

  @Test func piecesAreLeftOnlyIfAllOfThemFit() throws {
    let (own, peers) = try both()
    let half = SystemMemory().channelBytes / 2
    #expect(own.leave(pieces: [half, half]) { memset($1, 7, half) } == nil)
    let pieces = try #require(own.leave(pieces: [half]) { memset($1, 7, half) }.flatMap { peers.pieces(of: $0) })
    #expect(holds(pieces[0], 7))
  }

  @Test func bytesRemainReadableAfterTheirOwnerEnds() throws {
    var own = SharedMemory(SystemMemory())
    let reference = try #require(own).reference
    let peers = try #require(PeerMemory(reference, SystemMemory()))
    let left = try #require(own.flatMap { fill($0, 3, with: 5) })
    let content = try #require(peers.bytes(of: left))
    own = nil
    #expect(Array(content.bytes) == [5, 5, 5])
    #expect(PeerMemory(reference, SystemMemory()) == nil)
  }

  // MARK: Refused references

  @Test func rangesWithoutBytesAreRefused() throws {
    let (own, peers) = try both()
    let left = try #require(fill(own, 100, with: 1))
    let size = UInt64(SystemMemory().channelBytes)
    for (offset, count) in [
      (0, 1), (64, 1), (left.offset - 64, 1), (size, 1), (size - 64, 65), (size + 64, 1), (left.offset, size),
      (left.offset, .max), (.max - 63, 64), (.max - 63, .max),
    ] as [(UInt64, UInt64)] {
      var other = left
      (other.offset, other.count) = (offset, count)
      #expect(peers.bytes(of: other) == nil, "\(offset), \(count)")
    }
    var other = left
    other.memory.token += 1
    #expect(peers.bytes(of: other) == nil)
    other = left
    other.mark += 1
    #expect(peers.bytes(of: other) == nil)
    for slot in [0, left.slot - 1, UInt32(MemoryRegion.slots), .max] {
      (other, other.slot) = (left, slot)
      #expect(peers.bytes(of: other) == nil)
    }
    #expect(peers.bytes(of: left) != nil)
  }

  @Test func memoryWithAnotherTokenIsNotOpened() throws {
    let own = try #require(SharedMemory(SystemMemory()))
    for token in [0, own.reference.token &+ 1] {
      var other = own.reference
      other.token = token
      #expect(PeerMemory(other, SystemMemory()) == nil)
    }
  }

  /// A peer can send the number of any descriptor of any process.
  @Test func descriptorsOfOtherFilesAreNotOpened() throws {
    let scratch = Scratch()
    let file = open(try scratch.file("file", String(repeating: "x", count: 1 << 16)), O_RDWR)
    var pipe: [Int32] = [0, 0]
    #expect(Glibc.pipe(&pipe) == 0)
    let shrinkable = shrinkable()
    let device = open("/dev/null", O_RDWR)
    defer { for descriptor in [file, shrinkable, device] + pipe { close(descriptor) } }
    for descriptor in [file, shrinkable, device, -1, 1_000_000] + pipe {
      let token: UInt64 = 0x7878_7878_7878_7878
      #expect(
        PeerMemory(
          MemoryReference(process: Int64(getpid()), descriptor: descriptor, token: token), SystemMemory()) == nil)
    }
    for pid in [0, -1, Int64.max, Int64.min] {
      #expect(PeerMemory(MemoryReference(process: pid, descriptor: file, token: 1), SystemMemory()) == nil)
    }
  }

  /// Returns a descriptor of memory that can be made smaller.
  private func shrinkable() -> Int32 {
    let descriptor = galley_memory_file(SystemMemory.name)
    let text = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 16)
    #expect(write(descriptor, text, text.count) == text.count)
    return descriptor
  }

  // MARK: Memory channels

  @Test func bothPeersUseTheirMemoryAfterEachHasOpenedTheOthers() throws {
    let lines = OwnedBytes(copying: Array("{}\n".utf8))
    let peer = PeerMemoryChannel(SystemMemory())
    let coordinator = try #require(CoordinatorMemoryChannel(peer.offer, SystemMemory()))
    #expect(peer.leave(lines) == nil, "the coordinator may not see it")
    #expect(coordinator.leave(lines) == nil, "the peer may not see it")
    let memory = coordinator.offer
    #expect(memory != .none)
    peer.connect(memory)
    let columns = try #require(peer.leave(columns: [1, 2]) { memset($1, 7, $0 + 1) })
    #expect(coordinator.leave(lines) == nil && coordinator.leave(columns: [lines]) == nil && coordinator.offer != .none)
    coordinator.confirm(token: peer.seenToken)
    #expect(coordinator.peer.pieces(of: columns)?.map { Array($0.bytes) } == [[7], [7, 7]])
    #expect(coordinator.offer == .none)
    let job = try #require(coordinator.leave(lines))
    #expect(peer.lines(job).map { Array($0.bytes) } == Array(lines.bytes))
    let rows = try #require(coordinator.leave(columns: [lines, OwnedBytes(copying: [1])]))
    #expect(peer.columns(rows)?.map { Array($0.bytes) } == [Array(lines.bytes), [1]])
  }

  @Test func peersThatCannotOpenTheOthersMemoryUseTheSocket() throws {
    let offering = PeerMemoryChannel(SystemMemory())
    var elsewhere = offering.offer
    #expect(elsewhere != .none)
    elsewhere.token &+= 1
    #expect(CoordinatorMemoryChannel(elsewhere, SystemMemory()) == nil)
    let peer = PeerMemoryChannel(SystemMemory())
    peer.connect(elsewhere)
    #expect(peer.leave(OwnedBytes(copying: [1])) == nil && peer.seenToken == 0)
  }
}
