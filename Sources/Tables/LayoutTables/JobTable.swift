import Buffers
import Hashing
import TableFormats

/// The columns of a job as they are merged: read in the message that was received, or where they were filled.
///
/// Those that were received come from another process and are not trusted: lengths, numbers of names and parents are all
/// checked against each other, and strings for UTF-8, once, before anything is merged.
public struct JobTable {
  package typealias Schema = JobSchema<ByteString>

  package let columns: Schema
  /// The values of the columns in the order of their declarations.
  let values: [ByteString]

  public var rowCount: Int { columns.width.count }
  var frameCount: Int { columns.node.count }
  var nameCount: Int { columns.nameLength.count }
  var resourceCount: Int { columns.resourceRow.count }
  var lineCount: Int { columns.lineFrame.count }
  var textCount: Int { columns.textFrame.count }
  /// The number of rows that could not be laid out.
  public var badRowCount: Int { (0..<rowCount).count { columns.errorLength[$0] > 0 } }

  /// The largest coordinate and size of a frame in points, which is far beyond any screen. A larger one is an error of the row.
  public static var largestExtent: Float { 1e9 }

  /// The error of columns that do not fit together.
  public struct Malformed: Error, Equatable {
    public let reason: String
  }

  /// - Parameter bytes: the received bytes, which must outlive the table.
  public init(_ bytes: UnsafeRawBufferPointer, rows expectedRows: Int, typeCount: Int) throws(Malformed) {
    let (counts, headerSize) = try Self.readHeader(bytes)
    var offset = headerSize
    var optionalBytes: Int?
    var values: [ByteString] = []
    func column(_ format: JobColumnFormat) throws(Malformed) -> ByteString {
      if let group = format.group {
        let present = optionalBytes ?? bytes.count - offset
        optionalBytes = present
        if !group.isPresent(in: present, rows: counts[format.count.rawValue]) { return .empty }
      }
      let start = offset
      let byteCount = counts[format.count.rawValue] * format.stride
      guard Schema.padded(byteCount) <= bytes.count - start else { throw Malformed(reason: "a column beyond its end") }
      offset += Schema.padded(byteCount)
      return ByteString(UnsafeRawBufferPointer(rebasing: bytes[start..<start + byteCount]))
    }
    columns = try Schema { (format) throws(Malformed) in
      values.append(try column(format))
      return values[values.count - 1]
    }
    self.values = values
    guard offset == bytes.count else { throw Malformed(reason: "bytes after its end") }
    guard rowCount == expectedRows else { throw Malformed(reason: "\(rowCount) rows instead of \(expectedRows)") }
    try check(typeCount: typeCount)
    if textCount > 0 || lineCount > 0 || columns.spanText.count > 0 || columns.factorText.count > 0 {
      try checkLines()
    }
  }

  /// The columns that this process has filled, which must outlive the table. They are not checked.
  package init(_ job: JobColumns) {
    let values = job.received
    var next = values.makeIterator()
    columns = Schema { _ in next.next() ?? .empty }
    self.values = values
  }

  /// Returns the hash of a row, which is unknown for the rows of a job that no worker has laid out.
  package func hash(of row: Int) -> RowHash {
    columns.hashLow.count == 0 ? .unknown : RowHash(low: columns.hashLow[row], high: columns.hashHigh[row])
  }

  /// Returns the margins of a row, which a job of an earlier version does not have.
  package func margins(of row: Int) -> PackedMargins {
    columns.margins.count == 0 ? .none : PackedMargins(bits: columns.margins[row])
  }

  /// The names of the job's cells and nodes by their numbers.
  package var names: [ByteString] {
    var next = 0
    return (0..<nameCount).map { columns.nameBytes.next(columns.nameLength[$0], at: &next) }
  }

  /// Returns the number of values of each column, by `JobCount`, and the size of the header in bytes.
  private static func readHeader(_ bytes: UnsafeRawBufferPointer) throws(Malformed) -> (counts: [Int], size: Int) {
    guard bytes.count >= Schema.headerSize([]) else { throw Malformed(reason: "no header") }
    func number(_ index: Int) -> UInt64 {
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
    }
    let parts = JobCount.Parts(rawValue: number(0)).intersection(.all)
    let size = Schema.headerSize(parts)
    guard bytes.count >= size else { throw Malformed(reason: "no header") }
    var counts = [Int](repeating: 0, count: JobCount.allCases.count)
    for count in JobCount.allCases where parts.isSuperset(of: count.part) {
      let value = number(count.index(in: parts)) & (count == .rows ? ~parts.rawValue : .max)
      guard value <= UInt64(bytes.count) else { throw Malformed(reason: "a count beyond its end") }
      counts[count.rawValue] = Int(value)
    }
    guard parts.contains(.lines) == (counts[JobCount.texts.rawValue] > 0) else {
      throw Malformed(reason: "lines of no text")
    }
    return (counts, size)
  }

  private func check(typeCount: Int) throws(Malformed) {
    guard columns.idLength.sum == columns.idBytes.count, columns.errorLength.sum == columns.errorBytes.count,
      columns.nameLength.sum == columns.nameBytes.count,
      columns.resourceURLLength.sum == columns.resourceURLBytes.count,
      columns.missingLength.sum == columns.missingBytes.count
    else { throw Malformed(reason: "lengths that do not add up") }
    guard columns.idBytes.areUTF8(columns.idLength), columns.errorBytes.areUTF8(columns.errorLength),
      columns.nameBytes.areUTF8(columns.nameLength), columns.resourceURLBytes.areUTF8(columns.resourceURLLength),
      columns.missingBytes.areUTF8(columns.missingLength)
    else { throw Malformed(reason: "a string that is not UTF-8") }
    guard columns.hashLow.count == columns.hashHigh.count else { throw Malformed(reason: "half of the hashes") }
    guard columns.margins.allSatisfy({ PackedMargins(bits: $0).isValid }) else {
      throw Malformed(reason: "a margin that is no number from 0")
    }
    guard columns.frameCount.sum == frameCount else { throw Malformed(reason: "frames of no row") }
    guard columns.cell.allSatisfy({ $0 < UInt32(nameCount) }), columns.node.allSatisfy({ $0 < UInt32(nameCount) })
    else {
      throw Malformed(reason: "a name that is not there")
    }
    guard columns.width.areSizes, columns.height.areSizes, columns.frameRect.width.areSizes,
      columns.frameRect.height.areSizes
    else { throw Malformed(reason: "a size that is no number from 0 to \(Int(Self.largestExtent)) points") }
    guard columns.frameRect.x.areCoordinates, columns.frameRect.y.areCoordinates else {
      throw Malformed(reason: "a coordinate that is no number up to \(Int(Self.largestExtent)) points")
    }
    guard columns.type.allSatisfy({ Int($0) < typeCount }) else { throw Malformed(reason: "an unknown type") }
    guard columns.detailType.allSatisfy({ Int($0) < typeCount }),
      columns.detailResource.ascend(below: resourceCount, strictly: true)
    else { throw Malformed(reason: "details of no resource") }
    guard columns.missingRow.ascend(below: rowCount, strictly: true),
      columns.missingRow.allSatisfy({ columns.missingGlyphs[Int($0)] > 0 })
    else {
      throw Malformed(reason: "missing glyphs of no row")
    }
    guard columns.resourceFrame.ascend(below: frameCount, strictly: false) else {
      throw Malformed(reason: "resources that are not in the order of the frames")
    }
    var (first, resource) = (0, 0)
    var parentsComeFirst = true
    for row in 0..<rowCount {
      let count = Int(columns.frameCount[row])
      if columns.errorLength[row] > 0, count > 0 || columns.width[row] != 0 || columns.height[row] != 0 {
        throw Malformed(reason: "a bad row with a size or frames")
      }
      for frame in 0..<count {
        // A parent is -1, which is none, or an earlier frame of the row.
        let isBefore = UInt32(bitPattern: columns.parent[first + frame] &+ 1) <= UInt32(truncatingIfNeeded: frame)
        parentsComeFirst = isBefore && parentsComeFirst
      }
      while resource < resourceCount, Int(columns.resourceRow[resource]) == row,
        (first..<first + count).contains(Int(columns.resourceFrame[resource]))
      { resource += 1 }
      first += count
    }
    guard parentsComeFirst else { throw Malformed(reason: "a frame whose parent does not come before it") }
    guard resource == resourceCount else { throw Malformed(reason: "a resource of no frame of its row") }
  }
}

extension [JobTable] {
  /// The number of rows, which all variants have.
  public var rowCount: Int { first?.rowCount ?? 0 }
}

extension Column where Storage == ByteString, Value == Float {
  /// Whether no value is NaN, infinite, negative or absurd: comparisons with NaN are false.
  var areSizes: Bool { allSatisfy { $0 >= 0 && $0 <= JobTable.largestExtent } }
  var areCoordinates: Bool { allSatisfy { abs($0) <= JobTable.largestExtent } }
}
