import Buffers
import Hashing
import TableFormats

/// The result of laying out one job in one variant, column by column, as a worker sends it to the merge.
///
/// Values that depend on other jobs (the offset `y`, the first frame) are computed by the merge; names are numbered in
/// the order in which they first occur in the job.
public final class JobColumns {
  package let columns: JobSchema<UnsafeMutablePointer<ColumnBuffer>>
  let formats: [JobColumnFormat]
  let buffers: ColumnBuffers
  /// The numbers are in memory of their own, as the columns are: in a variable of the class, each access would be checked.
  private let names: UnsafeMutablePointer<NameNumbers>
  /// The number of the name of each font, or `unknown` for one that the job does not have yet.
  private var fontNumbers = FlatBuffer<UInt32>(capacity: 16)
  private static let unknown = UInt32.max

  public init() {
    var formats: [JobColumnFormat] = []
    var buffers = ColumnBuffers()
    columns = JobSchema { format in
      formats.append(format)
      return buffers.add()
    }
    self.formats = formats
    self.buffers = buffers
    names = .allocate(capacity: 1)
    names.initialize(to: NameNumbers())
  }

  deinit {
    names.deinitialize(count: 1)
    names.deallocate()
  }

  public func removeAll() {
    buffers.removeAll()
    names.pointee.removeAll()
    fontNumbers.removeAll()
  }

  /// Returns the number of a node's or a cell's name, which is added if it is new.
  public func number(ofName name: ByteString) -> UInt32 {
    let hash = NameNumbers.hash(of: name)
    if let known = names.pointee.number(of: name, hash, in: columns.nameBytes.buffer.base) { return known }
    columns.nameLength.append(UInt32(truncatingIfNeeded: name.count))
    return names.pointee.add(name, hash, to: &columns.nameBytes.buffer)
  }

  /// Returns the number of the name of a font, which is added if it is new.
  ///
  /// - Parameter names: The names of the fonts of the cells file. Other fonts have an empty name.
  public func number(ofFont font: Int32, among names: [String]) -> UInt32 {
    let index = Int(font)
    guard names.indices.contains(index) else { return number(ofName: .empty) }
    while fontNumbers.count <= index { fontNumbers.append(Self.unknown) }
    if fontNumbers[index] == Self.unknown {
      var name = names[index]
      fontNumbers[index] = name.withUTF8 { number(ofName: ByteString(UnsafeRawBufferPointer($0))) }
    }
    return fontNumbers[index]
  }

  /// Appends the hash of the next row. Either all rows of a job have hashes, or none.
  public func append(_ hash: RowHash) {
    columns.hashLow.append(hash.low)
    columns.hashHigh.append(hash.high)
  }

  /// Adds a row that could not be laid out: its height is 0, and it has an error instead of frames.
  public func appendBadRow(id: String, cell: ByteString = .empty, error: String) {
    columns.width.append(0)
    columns.height.append(0)
    columns.frameCount.append(0)
    let cell = number(ofName: cell)
    columns.cell.append(cell)
    columns.missingGlyphs.append(0)
    columns.margins.append(PackedMargins.none.bits)
    columns.idLength.append(UInt32(truncatingIfNeeded: id.utf8.count))
    columns.idBytes.buffer.append(id)
    columns.errorLength.append(UInt32(truncatingIfNeeded: error.utf8.count))
    columns.errorBytes.buffer.append(error)
  }

  /// The values of the columns as a receiver reads them. They refer to the memory of this object.
  var received: [ByteString] {
    zip(formats, buffers.pointers).map { format, buffer in
      let values = buffer.pointee.values.bytes
      return isComplete(format, values.count, .all) ? ByteString(values) : .empty
    }
  }

  /// The parts that the header has.
  private var parts: JobCount.Parts {
    var parts: JobCount.Parts = []
    if columns.textFrame.count > 0 { parts.insert(.lines) }
    if columns.detailResource.count > 0 || columns.spanText.count > 0 || columns.factorText.count > 0 {
      parts.insert(.details)
    }
    return parts
  }

  /// The number of bytes that `write` writes.
  public var encodedSize: Int {
    let parts = parts
    var size = JobTable.Schema.headerSize(parts)
    for (format, buffer) in zip(formats, buffers.pointers) where isComplete(format, buffer.pointee.values.count, parts)
    {
      size += JobTable.Schema.padded(buffer.pointee.values.count)
    }
    return size
  }

  /// Returns whether a column is written: one of a part of the header only with that part, and one that is optional only with a
  /// value for each row.
  private func isComplete(_ format: JobColumnFormat, _ byteCount: Int, _ parts: JobCount.Parts) -> Bool {
    guard parts.isSuperset(of: format.count.part) else { return false }
    return format.group == nil || byteCount == columns.width.count * format.stride
  }

  /// Writes the numbers of values, then the columns one after the other, each from a multiple of eight bytes on.
  public func write(to destination: UnsafeMutableRawPointer) {
    let parts = parts
    var offset = JobTable.Schema.headerSize(parts)
    for (format, buffer) in zip(formats, buffers.pointers) {
      let values = buffer.pointee.values.bytes
      guard isComplete(format, values.count, parts) else { continue }
      var count = UInt64(values.count / format.stride)
      if format.count == .rows { count |= parts.rawValue }
      let number = format.count.index(in: parts)
      destination.storeBytes(of: count.littleEndian, toByteOffset: number * 8, as: UInt64.self)
      (destination + offset).copyMemory(from: buffer.pointee.values.base, byteCount: values.count)
      let end = offset + values.count
      offset += JobTable.Schema.padded(values.count)
      (destination + end).initializeMemory(as: UInt8.self, repeating: 0, count: offset - end)
    }
  }
}

extension OwnedBytes {
  /// Creates the bytes of a job's columns of one variant, as they travel.
  public init(_ columns: JobColumns) { self.init(count: columns.encodedSize) { columns.write(to: $0) } }
}
