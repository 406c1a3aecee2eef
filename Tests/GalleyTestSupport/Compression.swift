import CCompression
import Foundation

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

extension Fixtures {
  /// Returns the lines of a fixture that is compressed with gzip.
  public static func compressedLines(_ name: String) throws -> [Data] {
    let file = try Data(contentsOf: url(name))
    guard let bytes = expand(file) else { throw BrokenFixture(name: name) }
    return bytes.split(separator: UInt8(ascii: "\n")).map { Data($0) }
  }

  /// Returns what a gzip file holds, or nil if it is broken.
  private static func expand(_ file: Data) -> [UInt8]? {
    // The last four bytes of a gzip file are the length of its contents.
    guard file.count > 18 else { return nil }
    let capacity = file.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    var stream = z_stream()
    inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    defer { inflateEnd(&stream) }
    var input = [UInt8](file)
    var status = Z_OK
    let bytes = input.withUnsafeMutableBufferPointer { input in
      [UInt8](unsafeUninitializedCapacity: capacity + 1) { output, count in
        (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
        (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(capacity + 1))
        status = inflate(&stream, Z_FINISH)
        count = capacity + 1 - Int(stream.avail_out)
      }
    }
    return status == Z_STREAM_END ? bytes : nil
  }

  public struct BrokenFixture: Error, CustomStringConvertible {
    let name: String
    public var description: String { "\(name) is not a gzip file" }
  }
}
