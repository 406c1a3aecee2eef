import CLinux
import Glibc
import NIOCore
import NIOPosix
import Processes

/// The way of a body from a connection to the thread that reads it: a pipe, so that each waits for the other.
final class BodyPipe {
  /// The bytes that are in the pipe.
  private static let capacity: Int32 = 1 << 20

  /// The writing end; nil while it is being registered.
  private var channel: (any Channel)?
  /// What came before the writing end was registered.
  private var early: [ByteBuffer] = []
  private var hasEnded = false
  /// Whether the reader of the body has closed its end.
  private var isClosed = false

  /// The body, which is read from the other end.
  let body: RequestBody

  /// - Parameters:
  ///   - onDrain: Called on the event loop when there is room again, or when nobody reads any longer.
  ///   - onFailure: Called on the event loop if the pipe cannot be used.
  init(
    _ loop: any EventLoop, onDrain: @escaping @Sendable () -> Void, onFailure: @escaping @Sendable () -> Void
  ) throws {
    var ends: [Int32] = [-1, -1]
    guard galley_pipe(&ends, Self.capacity) == 0 else { throw IOError(errnoCode: errno, reason: "pipe") }
    body = RequestBody(ends[0], isComplete: false)
    let input = ends[1]
    let this = NIOLoopBound(self, eventLoop: loop)
    NIOPipeBootstrap(group: loop)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            DrainHandler(onDrain, onClose: { this.value.isClosed = true }))
        }
      }
      .takingOwnershipOfDescriptor(output: input)
      .whenComplete { result in
        switch result {
        case .success(let channel):
          this.value.register(channel)
          onDrain()
        case .failure:
          Glibc.close(input)
          onFailure()
        }
      }
  }

  /// Whether there is room for more of the body. A body without a reader takes no room.
  var isWritable: Bool { isClosed || channel?.isWritable ?? early.isEmpty }

  func write(_ bytes: ByteBuffer) {
    if let channel { channel.writeAndFlush(bytes, promise: nil) } else { early.append(bytes) }
  }

  /// Ends the body, after which its reader finds the end of the file.
  func end() {
    hasEnded = true
    // A close drops what is not yet written.
    if let channel { channel.writeAndFlush(ByteBuffer()).whenComplete { _ in channel.close(promise: nil) } }
  }

  private func register(_ channel: any Channel) {
    self.channel = channel
    for bytes in early { channel.write(bytes, promise: nil) }
    early = []
    channel.flush()
    if hasEnded { end() }
  }

  private final class DrainHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let onDrain: @Sendable () -> Void
    private let onClose: @Sendable () -> Void

    init(_ onDrain: @escaping @Sendable () -> Void, onClose: @escaping @Sendable () -> Void) {
      (self.onDrain, self.onClose) = (onDrain, onClose)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) { onDrain() }
    func channelInactive(context: ChannelHandlerContext) {
      onClose()
      onDrain()
    }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
  }
}

extension RequestBody {
  /// Returns a body that was received completely.
  static func collected(_ bytes: ByteBuffer) throws -> RequestBody {
    let descriptor = galley_memory_file("galley body")
    guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "memfd_create") }
    let code = bytes.withUnsafeReadableBytes { writeAll($0, to: descriptor) }
    guard code == 0 else {
      Glibc.close(descriptor)
      throw IOError(errnoCode: code, reason: "write")
    }
    lseek(descriptor, 0, SEEK_SET)
    return RequestBody(descriptor, isComplete: true)
  }
}
