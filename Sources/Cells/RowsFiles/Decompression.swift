import CCompression

/// An error in compressed data that is damaged. The reason completes a sentence that begins with the name of the file.
struct DecompressionError: Error {
  let reason: String
}

/// A decoder of a stream of compressed data. The memory that it needs does not depend on the length of the stream.
protocol Decompressor: AnyObject {
  /// Decompresses some of the input into the output, and returns the numbers of bytes that were read and written. Where both
  /// are 0, more input is needed.
  func decompress(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(DecompressionError) -> (read: Int, written: Int)

  /// The name of the format.
  var format: String { get }

  /// Whether the data read so far is complete.
  var isComplete: Bool { get }
}

/// A decoder of consecutive gzip members (RFC 1952). Zeros between and after members are skipped, as gzip does.
final class GzipDecompressor: Decompressor {
  /// The largest window of zlib, plus 16 for the gzip format (inflateInit2 in zlib.h).
  private static let windowBits: Int32 = 15 + 16

  let format = "gzip"
  private(set) var isComplete = false
  private var stream = z_stream()

  init() {
    let status = inflateInit2_(&stream, Self.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(status == Z_OK, "zlib has no memory left")
  }

  deinit { inflateEnd(&stream) }

  func decompress(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(DecompressionError) -> (read: Int, written: Int) {
    if isComplete {
      let zeros = input.prefix { $0 == 0 }.count
      if zeros > 0 || input.isEmpty { return (zeros, 0) }
      inflateReset(&stream)
      isComplete = false
    }
    // zlib does not write to its input.
    stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.avail_in = UInt32(clamping: input.count)
    stream.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.avail_out = UInt32(clamping: output.count)
    let (offered, room) = (stream.avail_in, stream.avail_out)
    let status = inflate(&stream, Z_NO_FLUSH)
    switch status {
    case Z_STREAM_END: isComplete = true
    // Z_BUF_ERROR means only that this step neither read nor wrote.
    case Z_OK, Z_BUF_ERROR: break
    default: throw DecompressionError(reason: stream.msg.map { String(cString: $0) } ?? "zlib's error \(status)")
    }
    return (Int(offered - stream.avail_in), Int(room - stream.avail_out))
  }
}

/// A decoder of consecutive Zstandard frames (RFC 8878). libzstd refuses frames that need more than 128 MiB of memory.
final class ZstdDecompressor: Decompressor {
  let format = "zstd"
  private(set) var isComplete = false
  private let stream: OpaquePointer?

  init() { stream = ZSTD_createDStream() }

  deinit { ZSTD_freeDStream(stream) }

  func decompress(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(DecompressionError) -> (read: Int, written: Int) {
    // Without input, libzstd would require the header of the next frame, as if a frame had begun.
    if isComplete && input.isEmpty { return (0, 0) }
    var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
    var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
    let status = ZSTD_decompressStream(stream, &target, &source)
    if ZSTD_isError(status) != 0 { throw DecompressionError(reason: String(cString: ZSTD_getErrorName(status))) }
    isComplete = status == 0
    return (source.pos, target.pos)
  }
}
