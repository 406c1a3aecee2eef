import Buffers
import CellTemplates
import CellsFiles
import Foundation
import HTTPServing
import LayoutEngine
import LayoutTables

/// The description of a kit, `kit.json`.
struct Kit: Codable {
  /// A face of the kit's fonts.
  struct Face: Codable {
    /// The file of the font in the kit.
    let file: String
    /// The index of the face in a collection.
    let index: UInt32
    /// The weight of a variable font; 0 for that of the file.
    let weight: UInt32
    /// The values of a variable font's other axes.
    let axes: [String: Float]
  }

  /// The version of kits that this program reads and writes.
  static let currentVersion = 1
  static let cellsFile = "cells.galley"
  static let textsFile = "texts.jsonl"

  let version: Int
  let platform: String
  let width: Double
  let scale: Double
  let faces: [Face]
  /// The faces for characters that the font of a text lacks, in their order.
  let fallback: [Int]

  init(_ variant: Variant, _ program: CellProgram) {
    version = Self.currentVersion
    (platform, width, scale) = (variant.platform.name, variant.width, variant.scale)
    var previous: ByteString?
    var files = 0
    faces = program.faces.map { face in
      if face.file.start != previous?.start { files += 1 }
      previous = face.file
      let axes = face.axes.map { (FontAxes.name($0.tag), $0.value) }
      return Face(
        file: "fonts/\(files).\(Self.fileExtension(face.file))", index: face.index, weight: face.weight,
        axes: Dictionary(axes, uniquingKeysWith: { first, _ in first }))
    }
    fallback = program.fallback.map { Int($0) }
  }

  private static func fileExtension(_ file: ByteString) -> String {
    let first = file.slice(0, min(4, file.count))
    return first == ByteString("OTTO") ? "otf" : first == ByteString("ttcf") ? "ttc" : "ttf"
  }

  // MARK: Writing

  func write(
    _ texts: [KitText], _ program: CellProgram, _ cells: CellsFile, to directory: borrowing OutputDirectory
  ) throws {
    let path = directory.temporaryPath
    do {
      try FileManager.default.createDirectory(atPath: path + "/fonts", withIntermediateDirectories: false)
      for (face, source) in Dictionary(zip(faces.map(\.file), program.faces), uniquingKeysWith: { first, _ in first }) {
        try Data(source.file.bytes).write(to: URL(fileURLWithPath: "\(path)/\(face)"))
      }
      for (name, bytes) in EmbeddedFiles.files(in: "Programs/galley/Calibrate/Kit") {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
      }
      let lines = try texts.map { try Results.json($0, .withoutEscapingSlashes) + "\n" }.joined()
      try Data(lines.utf8).write(to: URL(fileURLWithPath: "\(path)/\(Self.textsFile)"))
      let description = try Results.json(self, [.withoutEscapingSlashes, .prettyPrinted]) + "\n"
      try Data(description.utf8).write(to: URL(fileURLWithPath: "\(path)/kit.json"))
    } catch let error as CocoaError {
      throw RunFailure(message: "\(directory.path): cannot be written: \(error.localizedDescription)")
    }
    let pack = try OutputFile(creating: "\(path)/\(Self.cellsFile)")
    let archive = try cells.archive()
    try cells.packHead(of: archive).withUnsafeBytes { try pack.write($0) }
    try archive.withBytes { try pack.write($0) }
  }

  // MARK: Reading

  /// Returns the variant of a kit.
  ///
  /// - Throws: `RunFailure` for a directory that is not a kit, and for a kit of another version.
  static func variant(of directory: String) throws -> Variant {
    let path = "\(directory)/kit.json"
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw RunFailure(message: "\(path) cannot be read; give the directory that galley calibrate sample has written")
    }
    struct Version: Decodable { let version: Int }
    let version = try? JSONDecoder().decode(Version.self, from: bytes).version
    if let version, version != currentVersion {
      throw RunFailure(
        message:
          "\(path): is of version \(version), and this program reads version \(currentVersion); make the kit again")
    }
    guard let kit = try? JSONDecoder().decode(Kit.self, from: bytes), let platform = Platform(name: kit.platform),
      case let variant = Variant(width: kit.width, scale: kit.scale, platform: platform), variant.isValid
    else {
      throw RunFailure(message: "\(path): is not the description of a kit; make the kit again")
    }
    return variant
  }
}
