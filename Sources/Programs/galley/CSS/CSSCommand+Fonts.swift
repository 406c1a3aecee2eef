import CellTemplates
import CellsFiles
import LayoutTables
import Processes

extension CSSCommand {
  /// Writes the faces as WOFF2 files, each in place of one of its name, to a directory that is created if it does not exist.
  ///
  /// - Parameter file: The cells file, whose own fonts are not replaced.
  func write(
    _ faces: [StyleSheet.Face], of program: CellProgram, _ file: CellsFile, _ characters: Set<UInt32>?, to path: String
  ) throws {
    let inputs = [cells] + rows + file.referencedFiles
    for face in faces {
      try InputFiles.check(
        "\(path)/\(face.fileName)", of: "--fonts \(path)", replacesNoneOf: inputs, kind: "directory")
    }
    try ResultDirectory.create(path, for: "the fonts")
    var written: Set<String> = []
    for face in faces where written.insert(face.fileName).inserted {
      try Interruption.check()
      guard let font = WebFontFile.woff2(of: program.faces[face.index], characters: characters) else {
        throw RunFailure(message: "\(path)/\(face.fileName): the font \(face.family) cannot be written as WOFF2")
      }
      try Interruption.check()
      if font.isWhole {
        Messages.warning("\(face.family): \(face.fileName) has all characters, because a part would lack tables")
      }
      try ResultFile.write(font.bytes, to: "\(path)/\(face.fileName)")
    }
  }
}
