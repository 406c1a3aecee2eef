import Buffers
import CellTemplates
import Foundation

/// Programs and rows for tests.
public enum Programs {
  /// Compiles a cells file in JSON that has no fonts of its own, or names faces by number.
  public static func compile(_ cells: String, faces: [ProgramArchive.Face] = []) throws -> CellProgram {
    // Programs refer to their bytes as long as they live; a test's do so to its end.
    try CellProgram(ProgramArchive(keep(archive(cells, faces: faces).withBytes { Array($0.bytes) })))
  }

  public static func archive(_ cells: String, faces: [ProgramArchive.Face] = []) -> ByteBlock {
    let packed = faces.map {
      ProgramArchive.PackedFace(index: $0.index, weight: $0.weight, fileCount: $0.file.count, axes: $0.axes)
    }
    return ProgramArchive.encode(cells: Array(cells.utf8), faces: packed) { face, bytes in
      bytes.copyBytes(from: faces[face].file.bytes)
    }
  }

  /// A face of a font file of Debian's.
  public static func face(_ name: String) throws -> ProgramArchive.Face {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: DebianFonts.path(name)))
    return ProgramArchive.Face(file: keep([UInt8](bytes)), index: 0, weight: 0)
  }

  /// A row with the room behind it that parsing needs.
  public static func row(_ json: String) -> ByteString { row(Array(json.utf8)) }

  public static func row(_ bytes: [UInt8]) -> ByteString {
    let padded = keep(bytes + [UInt8](repeating: 0, count: JSONParser.padding))
    return padded.slice(0, bytes.count)
  }

  /// A copy that lasts as long as the process.
  public static func keep(_ bytes: [UInt8]) -> ByteString {
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(bytes.count, 1))
    copy.initialize(from: bytes, count: bytes.count)
    return ByteString(start: copy, count: bytes.count)
  }
}
