import Buffers
import Hashing
import PoolProtocol

/// The bytes of a journal: a file of records, each written whole behind the last one. A record is
///
///     8 bytes  "galleyJ1"
///     4 bytes  the size of its envelope
///     8 bytes  the size of its parts together
///     8 bytes  XXH3 of the 20 bytes before
///     envelope (a `JournalRecord` of galley.proto), parts
///     8 bytes  XXH3 of envelope and parts
///
/// with little-endian numbers. A record that the end of the file cuts off was never confirmed, and is removed. One that is
/// damaged is skipped: the next good header is searched, so that the records behind it are not lost. Its bytes stay where
/// they are, and further records are written behind them.
///
/// A record with the number of all rows follows the last chunk of rows, so that the number is known even if one of the two
/// records is damaged.
public enum JournalFormat {
  public static let headerSize = 28
  static let magic: UInt64 = 0x314a_7965_6c6c_6167  // "galleyJ1"
  static let trailerSize = 8

  /// A record as it is written at the end of a journal.
  public struct Encoded {
    /// The bytes, to be written one after the other.
    public let bytes: [OwnedBytes]
    /// The ranges of the record's parts in the journal.
    public let parts: [JournalRange]
  }

  /// Returns whether a journal can begin with some bytes. One to which nothing was written has none.
  public static func canBegin(with bytes: UnsafeRawBufferPointer) -> Bool {
    withUnsafeBytes(of: magic.littleEndian) { $0.prefix(bytes.count).elementsEqual(bytes.prefix($0.count)) }
  }

  /// - Parameter offset: The size of the journal.
  public static func encode(_ record: JournalRecord<OwnedBytes>, at offset: Int) -> Encoded {
    let encoded = encodeOne(record, at: offset)
    guard case .chunk(let chunk) = record, let input = chunk.end else { return encoded }
    let end = encodeOne(.end(JournalEnd(rows: chunk.endRow, input: input)), at: offset + encoded.bytes.byteCount)
    return Encoded(bytes: encoded.bytes + end.bytes, parts: encoded.parts)
  }

  private static func encodeOne(_ record: JournalRecord<OwnedBytes>, at offset: Int) -> Encoded {
    let (envelope, parts) = record.encoded()
    let checksum = Checksum()
    envelope.withUnsafeBytes { checksum.update($0) }
    for part in parts { part.withBytes { checksum.update($0) } }
    let head = OwnedBytes(copying: header(envelope: envelope.count, bulk: parts.byteCount) + envelope)
    var trailer: [UInt8] = []
    trailer.append(littleEndian: checksum.value)
    var next = offset + head.count
    let ranges = parts.map { part in
      defer { next += part.count }
      return next..<next + part.count
    }
    return Encoded(bytes: [head] + parts + [OwnedBytes(copying: trailer)], parts: ranges)
  }

  /// Reads all records.
  ///
  /// - Parameters:
  ///   - size: The size of the journal in bytes.
  ///   - isFirstEnough: Whether only the first record is read.
  ///   - read: Returns the bytes of a range within the size.
  /// - Returns: The contents, and the size of the complete records that were read. If these are all, the caller removes the bytes behind
  ///   them.
  public static func scan<Failure: Error>(
    size: Int, isFirstEnough: Bool = false, read: (JournalRange) throws(Failure) -> OwnedBytes
  ) throws(Failure) -> (contents: JournalContents, size: Int) {
    var contents = JournalContents()
    var offset = 0
    while size - offset >= headerSize, offset == 0 || !isFirstEnough {
      let bytes = try read(offset..<offset + headerSize)
      guard let sizes = bytes.withBytes({ sizes(in: $0, at: offset) }) else {
        // The header is damaged. An interrupted write would have left the beginning of a valid header.
        contents.damaged += 1
        if isFirstEnough { break }
        offset = try nextHeader(after: offset, size: size, read: read) ?? size
        continue
      }
      guard sizes.end <= size else { break }
      let record = try read(offset + headerSize..<sizes.end)
      record.withBytes { contents.add($0, at: offset + headerSize, sizes, isFirst: offset == 0) }
      offset = sizes.end
    }
    return (contents, offset)
  }

  // MARK: Headers

  struct Sizes {
    let envelope: Int
    let bulk: Int
    /// The offset behind the record.
    let end: Int
  }

  /// The number of bytes that are searched for a header at a time.
  private static let searchedBytes = 64 << 10

  /// Returns the offset of the first good header behind an offset; nil when there is none.
  private static func nextHeader<Failure: Error>(
    after offset: Int, size: Int, read: (JournalRange) throws(Failure) -> OwnedBytes
  ) throws(Failure) -> Int? {
    var start = offset + 1
    while size - start >= headerSize {
      let block = try read(start..<min(start + searchedBytes, size))
      let found = block.withBytes { bytes in
        (0...bytes.count - headerSize).first { index in
          bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) == magic.littleEndian
            && sizes(in: UnsafeRawBufferPointer(rebasing: bytes[index..<index + headerSize]), at: start + index) != nil
        }
      }
      if let found { return start + found }
      start += block.count - headerSize + 1
    }
    return nil
  }

  /// Returns the sizes of the record at an offset; nil when its header is damaged.
  private static func sizes(in header: UnsafeRawBufferPointer, at offset: Int) -> Sizes? {
    var reader = LittleEndianReader(ByteString(header))
    guard reader.uint64() == magic, let envelope = reader.uint32().map({ Int($0) }), let bulk = reader.uint64(),
      reader.uint64() == Checksum.of(UnsafeRawBufferPointer(rebasing: header[..<20])), let bulk = Int(exactly: bulk)
    else { return nil }
    let (count, overflows) = bulk.addingReportingOverflow(envelope + headerSize + trailerSize)
    let (end, overflowsAgain) = offset.addingReportingOverflow(count)
    return overflows || overflowsAgain ? nil : Sizes(envelope: envelope, bulk: bulk, end: end)
  }

  private static func header(envelope: Int, bulk: Int) -> [UInt8] {
    var header: [UInt8] = []
    header.append(littleEndian: magic)
    header.append(littleEndian: UInt32(truncatingIfNeeded: envelope))
    header.append(littleEndian: UInt64(bulk))
    header.append(littleEndian: header.withUnsafeBytes { Checksum.of($0) })
    return header
  }
}

extension JournalContents {
  /// Adds a record.
  ///
  /// - Parameters:
  ///   - bytes: The envelope, the parts and the checksum.
  ///   - offset: The offset of the envelope in the journal.
  mutating func add(_ bytes: UnsafeRawBufferPointer, at offset: Int, _ sizes: JournalFormat.Sizes, isFirst: Bool) {
    let body = UnsafeRawBufferPointer(rebasing: bytes[..<(sizes.envelope + sizes.bulk)])
    let checksum = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: body.count, as: UInt64.self))
    guard checksum == Checksum.of(body),
      let record = JournalRecord(
        envelope: UnsafeRawBufferPointer(rebasing: body[..<sizes.envelope]),
        ranges: { Self.ranges($0, from: offset + sizes.envelope, bulk: sizes.bulk) })
    else {
      damaged += 1
      return
    }
    switch record {
    case .batch(let version, let description) where isFirst: batch = (version, description)
    case .end(let end): self.end = end
    case .chunk(let chunk): chunks.append(chunk)
    case .result(let run): results[run.firstRow] = run
    // Only the first record describes the batch.
    case .batch: damaged += 1
    }
  }

  private static func ranges(_ sizes: [UInt64], from start: Int, bulk: Int) -> [JournalRange]? {
    var ranges: [JournalRange] = []
    var offset = start
    for size in sizes {
      guard size <= UInt64(bulk), offset + Int(size) <= start + bulk else { return nil }
      ranges.append(offset..<offset + Int(size))
      offset += Int(size)
    }
    return ranges
  }
}
