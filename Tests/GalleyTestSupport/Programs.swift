import Buffers
import CellTemplates
import Foundation

/// Functions that make programs and rows for tests.
public enum Programs {
  /// Compiles a cells file in JSON that has no fonts, or refers to faces by index.
  public static func compile(_ cells: String, faces: [ProgramArchive.Face] = []) throws -> CellProgram {
    // Programs refer to their bytes, which therefore are never deallocated. Fonts are not copied into an archive, because
    // thousands of programs would take gigabytes.
    try CellProgram(ProgramArchive(cells: keep(Array(cells.utf8)), faces: faces))
  }

  public static func archive(_ cells: String, faces: [ProgramArchive.Face] = []) -> OwnedBytes {
    let packed: [ProgramArchive.PackedFace] = faces.map {
      (face: $0, file: OwnedBytes(copying: UnsafeRawBufferPointer($0.file.bytes)))
    }
    return OwnedBytes(joining: ProgramArchive.parts(cells: Array(cells.utf8), faces: packed))
  }

  /// Returns a face of a font file that Debian packages install.
  public static func face(_ name: String) throws -> ProgramArchive.Face {
    ProgramArchive.Face(file: try DebianFonts.bytes(name), index: 0, weight: 0)
  }

  /// Returns a row with the padding that the parser needs.
  public static func row(_ json: String) -> ByteString { row(Array(json.utf8)) }

  public static func row(_ bytes: [UInt8]) -> ByteString {
    let padded = keep(bytes + [UInt8](repeating: 0, count: JSONParser.padding))
    return padded.slice(0, bytes.count)
  }

  /// Returns a copy of bytes that is never deallocated.
  public static func keep(_ bytes: [UInt8]) -> ByteString {
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(bytes.count, 1))
    copy.initialize(from: bytes, count: bytes.count)
    return ByteString(start: copy, count: bytes.count)
  }
}
