import Buffers

/// A request for a part of a program.
public struct ProgramRequest: Equatable, Sendable {
  public var program: ProgramID
  public var offset: UInt64
  public var count: UInt64
  /// Whether the receiver could not map the memory or a file of the program.
  public var isInvisible: Bool

  public init(_ program: ProgramID, offset: UInt64, count: UInt64, isInvisible: Bool = false) {
    (self.program, self.offset, self.count, self.isInvisible) = (program, offset, count, isInvisible)
  }

  /// Returns the ranges of the messages that reply to the request. They are short, so that even a slow connection carries each
  /// of them before a timeout.
  public func parts(ofProgramWith size: Int) -> [Range<Int>] {
    let start = min(Int(clamping: offset), size)
    let end = min(size, start + Int(min(count, UInt64(ProtocolLimits.programWindow))))
    guard start < end else { return [] }
    return stride(from: start, to: end, by: ProtocolLimits.programPartBytes).map {
      $0..<min($0 + ProtocolLimits.programPartBytes, end)
    }
  }
}

/// A program that is received in parts. The receiver requests further parts as parts arrive, so that at most a window of them
/// is in transit. After a lost connection, it requests the parts that are missing.
public struct ProgramAssembly: Sendable {
  public let id: ProgramID
  private var buffer: Buffer?
  /// The number of bytes that were received.
  public private(set) var received = 0
  private var requested = 0

  public init(_ id: ProgramID) { self.id = id }

  /// The effect of a received part.
  public enum Step: Sendable {
    case wait
    case ask(ProgramRequest)
    case complete(OwnedBytes)
    /// The stated size is not that of a program.
    case refuse
  }

  /// Returns the request for all missing parts, including those in transit.
  public mutating func request(isInvisible: Bool = false) -> ProgramRequest {
    requested = received + ProtocolLimits.programWindow
    return ProgramRequest(
      id, offset: UInt64(received), count: UInt64(ProtocolLimits.programWindow), isInvisible: isInvisible)
  }

  /// Adds a part. A part that is not the next one was sent for an earlier request and is ignored.
  ///
  /// - Parameter size: The bytes of the whole program.
  public mutating func add(_ part: OwnedBytes, at offset: UInt64, ofSize size: UInt64) -> Step {
    guard size > 0, size <= UInt64(ProtocolLimits.programBytes), size == UInt64(buffer?.bytes.count ?? Int(size)) else {
      return .refuse
    }
    guard offset == UInt64(received), part.count > 0, part.count <= Int(size) - received else { return .wait }
    let buffer = self.buffer ?? Buffer(count: Int(size))
    self.buffer = buffer
    part.copy(to: buffer.address(at: received))
    received += part.count
    if received == Int(size) { return .complete(buffer.bytes) }
    let count = received + ProtocolLimits.programWindow - requested
    guard count >= ProtocolLimits.programStep else { return .wait }
    let request = ProgramRequest(id, offset: UInt64(requested), count: UInt64(count))
    requested += count
    return .ask(request)
  }

  /// The memory of the whole program. The system provides its memory as the parts are written.
  ///
  /// Only the assembly writes, each byte once, before it returns the bytes to others.
  private final class Buffer: Sendable {
    private let string: ByteString

    init(count: Int) { string = ByteString(start: UnsafeMutablePointer<UInt8>.allocate(capacity: count), count: count) }

    deinit { string.start.deallocate() }

    /// The address to which a part at an offset is written.
    func address(at offset: Int) -> UnsafeMutableRawPointer { UnsafeMutableRawPointer(mutating: string.start + offset) }

    var bytes: OwnedBytes { OwnedBytes(UnsafeRawBufferPointer(string.bytes), keeping: self) }
  }
}
