import CCompression

/// An encoder that compresses a body in the gzip format (RFC 1952) while it is written.
public final class GzipEncoder {
  /// The fastest level of zlib, as the body is compressed while a client waits for it.
  private static let level: Int32 = 1
  /// The largest window of zlib, plus 16 for the gzip format (deflateInit2 in zlib.h).
  private static let windowBits: Int32 = 15 + 16
  private static let memoryLevel: Int32 = 8
  private static let blockBytes = 64 << 10

  private var stream = z_stream()
  private var block = [UInt8](repeating: 0, count: blockBytes)
  private let sink: ([UInt8]) throws -> Void

  /// - Parameter sink: A function that receives the compressed bytes.
  public init(to sink: @escaping ([UInt8]) throws -> Void) {
    self.sink = sink
    let status = deflateInit2_(
      &stream, Self.level, Z_DEFLATED, Self.windowBits, Self.memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    precondition(status == Z_OK, "zlib has no memory left")
  }

  deinit { deflateEnd(&stream) }

  /// Compresses bytes. Some of the result may come later.
  public func write(_ bytes: UnsafeRawBufferPointer) throws { try compress(bytes, Z_NO_FLUSH) }

  /// Passes on what was written so far, so that a reader can decompress all of it.
  public func flush() throws { try compress(UnsafeRawBufferPointer(start: nil, count: 0), Z_SYNC_FLUSH) }

  /// Completes the body.
  public func finish() throws { try compress(UnsafeRawBufferPointer(start: nil, count: 0), Z_FINISH) }

  private func compress(_ bytes: UnsafeRawBufferPointer, _ mode: Int32) throws {
    // zlib does not write to its input.
    stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.avail_in = UInt32(clamping: bytes.count)
    repeat {
      let count = block.withUnsafeMutableBufferPointer { room in
        stream.next_out = room.baseAddress
        stream.avail_out = UInt32(clamping: room.count)
        deflate(&stream, mode)
        return room.count - Int(stream.avail_out)
      }
      if count > 0 { try sink(Array(block[..<count])) }
    } while stream.avail_out == 0
  }
}
