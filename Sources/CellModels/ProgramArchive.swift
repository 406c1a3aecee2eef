import Buffers
import TextMeasurement

/// What workers need to lay out a batch, as bytes: the cells file as JSON, in which fonts name faces by number, and
/// the files of those faces.
///
///     "GALLEY1\n"  u32 length of the cells  u32 number of faces
///     per face: u32 index in its collection  u32 weight (0: the file's own)  u64 length of the file
///     cells, then each file once in the order of its first face
///
/// All numbers little endian. A face whose length is 0 shares the previous face's file.
public struct ProgramArchive {
  public typealias Face = FontBook.Source

  /// Faces in one program.
  public static let maxFaces = 256
  private static let magic = ByteString("GALLEY1\n")

  public let cells: ByteString
  public let faces: [Face]

  /// - Throws: `CellError` when the bytes are not an archive.
  public init(_ bytes: ByteString) throws(CellError) {
    var reader = LittleEndianReader(bytes)
    guard let magic = reader.take(Self.magic.count), magic == Self.magic,
      let cellsLength = reader.uint32(), let count = reader.uint32(), count <= Self.maxFaces
    else { throw CellError("is not a program of this version") }
    var headers: [(index: UInt32, weight: UInt32, length: UInt64)] = []
    for _ in 0..<count {
      guard let index = reader.uint32(), let weight = reader.uint32(), let length = reader.uint64() else {
        throw CellError("ends in its list of faces")
      }
      headers.append((index, weight, length))
    }
    guard let cells = reader.take(Int(cellsLength)) else { throw CellError("ends in its cells") }
    var faces: [Face] = []
    for header in headers {
      var file = faces.last?.file ?? .empty
      if header.length > 0 {
        guard let length = Int(exactly: header.length), let own = reader.take(length) else {
          throw CellError("ends in a font file")
        }
        file = own
      }
      faces.append(Face(file: file, index: header.index, weight: header.weight))
    }
    guard reader.isAtEnd else { throw CellError("has bytes after its end") }
    self.cells = cells
    self.faces = faces
  }

  /// The archive's bytes. Faces of one file must stand next to each other to share it.
  public static func encode(cells: [UInt8], faces: [Face]) -> [UInt8] {
    var bytes: [UInt8] = Array(magic.bytes)
    append(UInt32(cells.count), to: &bytes)
    append(UInt32(faces.count), to: &bytes)
    for (position, face) in faces.enumerated() {
      append(face.index, to: &bytes)
      append(face.weight, to: &bytes)
      append(UInt64(sharesFile(faces, position) ? 0 : face.file.count), to: &bytes)
    }
    bytes += cells
    for (position, face) in faces.enumerated() where !sharesFile(faces, position) { bytes += face.file.bytes }
    return bytes
  }

  private static func sharesFile(_ faces: [Face], _ position: Int) -> Bool {
    position > 0 && faces[position].file.start == faces[position - 1].file.start
  }

  private static func append<Number: FixedWidthInteger>(_ number: Number, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }
}

/// Reads numbers and runs of bytes, never past the end.
struct LittleEndianReader {
  private let bytes: ByteString
  private var place = 0

  init(_ bytes: ByteString) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }

  mutating func take(_ count: Int) -> ByteString? {
    guard count >= 0, count <= bytes.count - place else { return nil }
    defer { place += count }
    return bytes.slice(place, place + count)
  }

  mutating func uint32() -> UInt32? { number(UInt32.self) }
  mutating func uint64() -> UInt64? { number(UInt64.self) }

  private mutating func number<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
    guard let raw = take(MemoryLayout<Number>.size) else { return nil }
    return Number(littleEndian: UnsafeRawPointer(raw.start).loadUnaligned(as: Number.self))
  }
}
