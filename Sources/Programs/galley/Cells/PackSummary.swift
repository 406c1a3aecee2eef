import Buffers
import CellTemplates

/// The contents of a pack, for people.
struct PackSummary {
  private let cellCount: Int
  private let fontCount: Int
  /// The name of each face, and the number of bytes of its file, or nil if it shares the file of the previous face.
  private var faces: [(name: String, fileBytes: Int?)] = []

  init(_ program: CellProgram) {
    cellCount = program.cells.count
    fontCount = program.fonts.names.count
    var previous: ByteString?
    for face in program.faces {
      let sharesFile = face.file.start == previous?.start
      faces.append((face.fullName ?? "a face without a name", sharesFile ? nil : face.file.count))
      previous = face.file
    }
  }

  func text(_ path: String, bytes: Int) -> String {
    let files = faces.count { $0.fileBytes != nil }
    let total =
      "\(path): \(ByteSize.text(UInt64(bytes))) with \(Self.count(cellCount, "cell class", "cell classes")), "
      + "\(Self.count(fontCount, "font", "fonts")), \(Self.count(faces.count, "face", "faces")) "
      + "of \(Self.count(files, "font file", "font files"))"
    let width = faces.map(\.name.count).max() ?? 0
    let lines = faces.map { face in
      let name = face.name + String(repeating: " ", count: width - face.name.count)
      return "  \(name)  \(face.fileBytes.map { ByteSize.text(UInt64($0)) } ?? "in the same file")"
    }
    return ([total] + lines).joined(separator: "\n")
  }

  private static func count(_ number: Int, _ one: String, _ many: String) -> String {
    number == 1 ? "1 \(one)" : "\(number) \(many)"
  }
}
