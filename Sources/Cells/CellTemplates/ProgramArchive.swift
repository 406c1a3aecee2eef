import Buffers
import TextMeasuring

/// An archive of everything that workers need to lay out a batch: the cells file as JSON, in which fonts refer to faces
/// by number, and the files of those faces. Its format is:
///
///     "GALLEY2\n"  u32 length of the cells  u32 number of faces
///     per face: u32 index in its collection  u32 weight (0: the file's own)  u64 length of the file
///               u32 number of axes, and per axis: u32 tag  f32 value
///     cells, then each file once in the order of its first face
///
/// If a face has features, the archive begins with "GALLEY3\n", and the axes of each face are followed by
///
///               u32 number of features, and per feature: u32 tag  u32 value
///
/// All numbers are little endian. A face whose length is 0 shares the previous face's file.
public struct ProgramArchive {
  public typealias Face = FontBook.Source

  /// The largest number of faces in one program.
  public static let maxFaces = FontBook.maxFaces
  /// The largest number of axes of one face.
  public static let maxAxes = 64
  private static let magic = ByteString("GALLEY2\n")
  private static let magicWithFeatures = ByteString("GALLEY3\n")

  public let cells: ByteString
  public let faces: [Face]

  /// Creates the archive of a cells file in JSON, and of faces whose files are in memory of their own.
  package init(cells: ByteString, faces: [Face]) {
    self.cells = cells
    self.faces = faces
  }

  /// - Throws: `CellError` when the bytes are not an archive.
  public init(_ bytes: ByteString) throws(CellError) { try self.init(parts: [bytes]) }

  /// - Parameter parts: The bytes in parts, which the caller keeps as long as it uses the archive.
  /// - Throws: `CellError` when the bytes are not an archive.
  public init(_ parts: [OwnedBytes]) throws(CellError) { try self.init(parts: parts.map { ByteString($0.bytes) }) }

  /// - Parameter parts: The bytes, one part after the other. The head and each file are in one part.
  private init(parts: [ByteString]) throws(CellError) {
    var parts = parts[...]
    var reader = LittleEndianReader(parts.popFirst() ?? .empty)
    guard let magic = reader.take(Self.magic.count), magic == Self.magic || magic == Self.magicWithFeatures,
      let cellsLength = reader.uint32(), let count = reader.uint32(), count <= Self.maxFaces
    else { throw CellError("is not a program of this version") }
    var headers: [(face: Face, length: UInt64)] = []
    for _ in 0..<count {
      guard let index = reader.uint32(), let weight = reader.uint32(), let length = reader.uint64(),
        let axes = reader.list(atMost: Self.maxAxes, { FontAxis(tag: $0, value: Float(bitPattern: $1)) }),
        let features = magic == Self.magic ? [] : reader.list(atMost: FontBook.maxFeatures, FontFeature.init)
      else { throw CellError("ends in its list of faces") }
      headers.append((Face(file: .empty, index: index, weight: weight, axes: axes, features: features), length))
    }
    guard Set(headers.map(\.face.features)).union([[]]).count <= FontBook.maxFeatureLists + 1 else {
      throw CellError("has faces with more than \(FontBook.maxFeatureLists) different lists of features")
    }
    guard let cells = reader.take(Int(cellsLength)) else { throw CellError("ends in its cells") }
    var faces: [Face] = []
    for header in headers {
      var face = header.face
      face.file = faces.last?.file ?? .empty
      if header.length > 0 {
        if reader.isAtEnd, let part = parts.popFirst() { reader = LittleEndianReader(part) }
        guard let length = Int(exactly: header.length), let own = reader.take(length) else {
          throw CellError("ends in a font file")
        }
        face.file = own
      }
      faces.append(face)
    }
    guard reader.isAtEnd, parts.isEmpty else { throw CellError("has bytes after its end") }
    self.init(cells: cells, faces: faces)
  }

  /// A face of an archive that is being written, and the file that is written for it: nil if it shares that of the previous
  /// face.
  public typealias PackedFace = (face: Face, file: OwnedBytes?)

  /// Returns the bytes of an archive in parts: the head with the cells, and each file. No file is copied.
  public static func parts(cells: [UInt8], faces: [PackedFace]) -> [OwnedBytes] {
    let hasFeatures = faces.contains { !$0.face.features.isEmpty }
    var head: [UInt8] = Array((hasFeatures ? magicWithFeatures : magic).bytes)
    head.append(littleEndian: UInt32(cells.count))
    head.append(littleEndian: UInt32(faces.count))
    for (face, file) in faces {
      head.append(littleEndian: face.index)
      head.append(littleEndian: face.weight)
      head.append(littleEndian: UInt64(file?.count ?? 0))
      head.append(littleEndian: UInt32(face.axes.count))
      for axis in face.axes {
        head.append(littleEndian: axis.tag)
        head.append(littleEndian: axis.value.bitPattern)
      }
      guard hasFeatures else { continue }
      head.append(littleEndian: UInt32(face.features.count))
      for feature in face.features {
        head.append(littleEndian: feature.tag)
        head.append(littleEndian: feature.value)
      }
    }
    head += cells
    return [OwnedBytes(copying: head)] + faces.compactMap(\.file)
  }
}

extension LittleEndianReader {
  /// Returns the axes or the features of a face, or nil if there are too many or the bytes end before the last one.
  fileprivate mutating func list<Element>(atMost limit: Int, _ make: (UInt32, UInt32) -> Element) -> [Element]? {
    guard let count = uint32(), count <= limit else { return nil }
    var elements: [Element] = []
    for _ in 0..<count {
      guard let tag = uint32(), let value = uint32() else { return nil }
      elements.append(make(tag, value))
    }
    return elements
  }
}
