import Buffers
import CellTemplates
import CellsFiles
import Hashing

/// The fonts of a program, with which the page draws its texts.
struct ViewedFonts: Sendable {
  /// A face of a font file.
  struct Face: Sendable, JSONWritable {
    /// The index of the face in the program.
    let index: Int
    /// The index of the first face that has the same bytes, so that a browser loads them once.
    let fileIndex: Int
    /// The weight at which a variable font is used, or nil for the file's own.
    let weight: Int?
    /// The values of the other axes of a variable font, as CSS writes them; nil without any.
    let variation: String?
    /// The hash of the program, so that a browser does not take a face of another program from its cache.
    let version: String
    fileprivate let file: ByteString
    fileprivate let faceOfCollection: UInt32
    fileprivate let archive: OwnedBytes

    /// The weight by which the page selects the face.
    var usedWeight: Int { weight ?? 400 }

    /// The content type of the bytes.
    var type: String { file.count >= 4 && Array(file.bytes.prefix(4)) == Array("OTTO".utf8) ? "font/otf" : "font/ttf" }

    /// Calls a function with the bytes of a font file that has only this face, as browsers need it.
    func withBytes<Failure: Error>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Void) throws(Failure) {
      defer { withExtendedLifetime(archive) {} }
      let whole = UnsafeRawBufferPointer(file.bytes)
      guard let single = WebFontFile.single(file, face: Int(faceOfCollection)) else { return try body(whole) }
      let result = single.withUnsafeBytes { bytes in Result { () throws(Failure) in try body(bytes) } }
      try result.get()
    }

    func append(to json: inout JSONText) {
      json.append(#"{"family":"#, ViewedFonts.family(index))
      json.append(#","url":"#, "/fonts/\(fileIndex)?version=\(version)")
      json.append(#","weight":"#, weight == nil ? "400" : "1 1000")
      json.append(#","style":"normal","variation":"#, variation)
      json.append("}")
    }
  }

  let faces: [Face]

  /// - Throws: `CellError` for bytes that are not a program.
  init(_ archive: OwnedBytes) throws(CellError) {
    faces = try archive.withBytes { (bytes) throws(CellError) in
      let sources = try ProgramArchive(ByteString(bytes)).faces
      let hash = hexadecimal(Array(SHA256.hash(bytes).prefix(8)))
      return sources.enumerated().map { index, source in
        let first = sources.firstIndex { $0.file.start == source.file.start && $0.index == source.index }
        let axes = source.axes.map { "\"\(FontAxes.name($0.tag))\" \($0.value)" }.joined(separator: ", ")
        return Face(
          index: index, fileIndex: first ?? index, weight: source.weight > 0 ? Int(source.weight) : nil,
          variation: axes.isEmpty ? nil : axes, version: hash, file: source.file, faceOfCollection: source.index,
          archive: archive)
      }
    }
  }

  /// Returns a face of the program, or nil if it has none of this number.
  func face(_ index: Int) -> Face? { faces.indices.contains(index) ? faces[index] : nil }

  /// Returns the name by which the page knows a face.
  static func family(_ face: Int) -> String { "galley-\(face)" }
}
