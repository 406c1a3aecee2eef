import Buffers

extension OwnedBytes {
  /// The XXH3 of the bytes.
  public var checksum: UInt64 { withBytes { Checksum.of($0) } }
}
