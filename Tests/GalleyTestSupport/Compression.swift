import CCompression

/// The compressions that Galley reads, gzip and zstd.
public enum Compression: String, CaseIterable, Sendable {
  case gzip, zstd

  public func callAsFunction(_ bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .gzip: Self.gzip(bytes)
    case .zstd: Self.zstd(bytes)
    }
  }

  private static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    deflateInit2_(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
    defer { deflateEnd(&stream) }
    var input = bytes
    return input.withUnsafeMutableBufferPointer { input in
      let capacity = Int(deflateBound(&stream, UInt(input.count))) + 64
      return [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
        (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
        (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(capacity))
        deflate(&stream, Z_FINISH)
        count = capacity - Int(stream.avail_out)
      }
    }
  }

  private static func zstd(_ bytes: [UInt8]) -> [UInt8] {
    let capacity = ZSTD_compressBound(bytes.count)
    return [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
      count = ZSTD_compress(output.baseAddress, capacity, bytes, bytes.count, 3)
    }
  }
}
