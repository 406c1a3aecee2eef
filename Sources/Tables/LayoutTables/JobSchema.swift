import Buffers

/// A number in the header of a job's columns: how many values a column has. The raw value is its index in the header.
@usableFromInline
enum JobCount: Int, CaseIterable {
  case rows, frames, names, resources, idBytes, errorBytes, nameBytes, resourceURLBytes, missingRows, missingBytes
}

/// The columns of a job in the order in which they are sent.
///
/// This declaration is the only list of the columns: clearing, encoding and decoding pass over the properties with
/// `forEachColumn`. A new column is one property, of which the type is the type of its values and the argument tells
/// what it has one value for. All properties must be columns. Optional columns are the last ones; they have all their
/// values or none.
public struct JobSchema<Storage: JobColumnStorage & ~Copyable>: ~Copyable {
  public var width = JobColumn<Float, Storage>(.rows)
  public var height = JobColumn<Float, Storage>(.rows)
  public var frameCount = JobColumn<UInt32, Storage>(.rows)
  public var cell = JobColumn<UInt32, Storage>(.rows)
  public var idLength = JobColumn<UInt32, Storage>(.rows)
  /// The length of the row's error in bytes, which is 0 for a good row.
  public var errorLength = JobColumn<UInt32, Storage>(.rows)
  /// The number of characters in the row's texts for which no font has a glyph.
  public var missingGlyphs = JobColumn<UInt16, Storage>(.rows)

  /// The index in the job of a row with missing glyphs.
  public var missingRow = JobColumn<UInt32, Storage>(.missingRows)
  /// The length in `missingBytes` of the first different characters that are missing, in bytes.
  public var missingLength = JobColumn<UInt32, Storage>(.missingRows)

  public var node = JobColumn<UInt32, Storage>(.frames)
  public var type = JobColumn<UInt8, Storage>(.frames)
  /// The index in the row of the frame that contains this one, or -1.
  public var parent = JobColumn<Int32, Storage>(.frames)
  public var x = JobColumn<Float, Storage>(.frames)
  public var y = JobColumn<Float, Storage>(.frames)
  public var frameWidth = JobColumn<Float, Storage>(.frames)
  public var frameHeight = JobColumn<Float, Storage>(.frames)
  public var lines = JobColumn<UInt16, Storage>(.frames)
  public var truncated = JobColumn<UInt8, Storage>(.frames)

  /// The index in the job of the resource's row.
  public var resourceRow = JobColumn<UInt32, Storage>(.resources)
  /// The index in the job of the resource's frame.
  public var resourceFrame = JobColumn<UInt32, Storage>(.resources)
  public var resourceURLLength = JobColumn<UInt32, Storage>(.resources)

  public var nameLength = JobColumn<UInt32, Storage>(.names)
  public var idBytes = JobColumn<UInt8, Storage>(.idBytes)
  public var errorBytes = JobColumn<UInt8, Storage>(.errorBytes)
  public var nameBytes = JobColumn<UInt8, Storage>(.nameBytes)
  public var resourceURLBytes = JobColumn<UInt8, Storage>(.resourceURLBytes)
  public var missingBytes = JobColumn<UInt8, Storage>(.missingBytes)

  /// The hash of each row, in the columns of the first variant of jobs that a worker has laid out.
  public var hashLow = JobColumn<UInt64, Storage>(.rows, isOptional: true)
  public var hashHigh = JobColumn<UInt64, Storage>(.rows, isOptional: true)

  init() {}
}

extension JobSchema: Copyable where Storage: Copyable {}

extension JobSchema where Storage: ~Copyable {
  static var headerSize: Int { JobCount.allCases.count * MemoryLayout<UInt64>.size }

  /// Returns the size that a column takes: each starts at a multiple of eight bytes.
  static func padded(_ byteCount: Int) -> Int { (byteCount + 7) & ~7 }

  // A struct lies in memory as its properties in the order of their declaration, and each column is a struct around an
  // untyped one. The columns can therefore be read as a run of untyped ones, without a second list of them.

  private static var columnCount: Int {
    let stride = MemoryLayout<UntypedJobColumn<Storage>>.stride
    // The last property has no padding behind it.
    precondition(
      MemoryLayout<Self>.alignment == MemoryLayout<UntypedJobColumn<Storage>>.alignment
        && MemoryLayout<Self>.stride % stride == 0)
    return MemoryLayout<Self>.stride / stride
  }

  /// Calls `body` with each column in the order in which the columns are sent.
  mutating func forEachColumn<Failure>(
    _ body: (inout UntypedJobColumn<Storage>) throws(Failure) -> Void
  ) throws(Failure) {
    try withUnsafeMutablePointer(to: &self) { (schema) throws(Failure) in
      let columns = UnsafeMutableRawPointer(schema).assumingMemoryBound(to: UntypedJobColumn<Storage>.self)
      for index in 0..<Self.columnCount { try body(&columns[index]) }
    }
  }

  /// Calls `body` with each column in the order in which the columns are sent.
  borrowing func forEachColumn(_ body: (borrowing UntypedJobColumn<Storage>) -> Void) {
    withUnsafePointer(to: self) { schema in
      let columns = UnsafeRawPointer(schema).assumingMemoryBound(to: UntypedJobColumn<Storage>.self)
      for index in 0..<Self.columnCount { body(columns[index]) }
    }
  }
}
