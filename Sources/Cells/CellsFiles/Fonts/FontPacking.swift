import Buffers
import CellTemplates
import Foundation
import TextMeasuring

/// The fonts of a cells file and the faces that were found for them. Fonts refer to faces by number, in the order of
/// the archive.
final class FontPacking {
  private struct FaceKey: Hashable {
    var path: String
    var index: UInt32
    var weight: UInt32
    var axes: [FontAxis] = []
    var features: [FontFeature] = []
    /// The name of the file as it is written, if the font names a file.
    var writtenFile: String?
  }

  private var faces: [FaceKey] = []
  private var files: [String: FontFile] = [:]
  private var fonts: [(name: String, face: Int, properties: [SourceNode.Member])] = []
  /// The files that were left out because they cannot be used.
  private(set) var unusableFiles: [String] = []
  private var fallback: [Int] = []
  /// The path of the first font that uses each face, for errors.
  private var paths: [[String]] = []
  private let finder = FontFinder()
  private let directory: URL
  /// The mistakes in fonts. Such a font is replaced by a placeholder, so that the cells can be checked.
  private(set) var mistakes: [CellError] = []
  /// The warnings about properties of fonts that have no effect.
  private(set) var warnings: [CellError] = []

  /// The font files with their identities when they were read.
  var identities: [String: FileIdentity] { files.mapValues(\.identity) }

  /// The font files of the program in their order.
  var programFonts: [ProgramFont] {
    faces.indices.compactMap { number in
      let face = faces[number]
      guard !sharesFile(number), let file = files[face.path] else { return nil }
      return ProgramFont(path: face.path, isInstalled: isInstalled(face.path), identity: file.identity)
    }
  }

  /// Whether a face has the file of the previous face.
  private func sharesFile(_ number: Int) -> Bool { number > 0 && faces[number].path == faces[number - 1].path }

  /// Whether no font names the file.
  private func isInstalled(_ path: String) -> Bool { faces.allSatisfy { $0.path != path || $0.writtenFile == nil } }

  private static let keys =
    ["family", "file", "faceIndex", "weight", "axes", "fontFeatures", "italic"] + keysOfStyles
  /// The properties of a font that its face does not depend on.
  private static let keysOfStyles = ["size", "lineHeight", "letterSpacing", "scaling", "sizes"]

  init(_ source: SourceNode, directory: URL) throws(CellError) {
    self.directory = directory
    try readFonts(source["fonts"])
    try readFallback(source["fallback"])
    groupByFile()
  }

  /// Returns the parts of the archive of the cells file, in which fonts refer to faces by number, with the font files.
  func archive(of source: SourceNode) throws(CellError) -> [OwnedBytes] {
    guard case .mapping(let members, let position) = source else {
      throw CellError("must be a mapping with version, fonts, fallback and cells")
    }
    var packed = members.filter { $0.key != "fonts" && $0.key != "fallback" }
    let fonts = fonts.map { name, face, properties in
      let face = SourceNode.Member(key: "face", value: .literal("\(face)", nil))
      return SourceNode.Member(key: name, value: .mapping([face] + properties, nil))
    }
    packed.append(SourceNode.Member(key: "fonts", value: .mapping(fonts, nil)))
    packed.append(SourceNode.Member(key: "fallback", value: .sequence(fallback.map { .literal("\($0)", nil) }, nil)))
    var shared: OwnedBytes?
    let archived = try faces.enumerated().map { (number, key) throws(CellError) -> ProgramArchive.PackedFace in
      let isShared = sharesFile(number)
      guard let file = isShared ? shared : files[key.path]?.bytes(maps: isInstalled(key.path)) else {
        throw CellError("font file \(key.path) changes while it is read", path: paths[number])
      }
      shared = file
      let face = ProgramArchive.Face(
        file: .empty, index: key.index, weight: weight(of: key, in: file), axes: key.axes, features: key.features)
      return (face: face, file: isShared ? nil : file)
    }
    return ProgramArchive.parts(cells: SourceNode.mapping(packed, position).json, faces: archived)
  }

  private func weight(of face: FaceKey, in file: OwnedBytes) -> UInt32 {
    let statesNone = face.writtenFile != nil && face.weight == 0 && !face.axes.contains { $0.tag == FontAxes.weight }
    return statesNone ? FontAxes.regularWeight(ofFace: face.index, in: file) : face.weight
  }

  /// Checks the font files of the archive, opens every face as a worker does, and returns the mistakes.
  func mistakes(in program: ProgramArchive) -> [CellError] {
    var mistakes: [CellError] = []
    for (number, face) in program.faces.enumerated() {
      do throws(CellError) { try check(face.file, faces[number], paths[number]) } catch {
        let face = faces[number]
        let key = !error.path.isEmpty ? error.path : face.writtenFile == nil ? [] : ["file"]
        mistakes.append(CellError("\(face.writtenFile ?? face.path) \(error.message)", path: paths[number] + key))
      }
    }
    guard mistakes.isEmpty else { return mistakes }
    do throws(BrokenFace) { _ = try FontBook(program.faces, fallback: fallback.map { Int32($0) }) } catch {
      let (path, face) = (faces[error.index].path, faces[error.index].index)
      mistakes.append(CellError("\(path) is not a font file, or has no face number \(face)", path: paths[error.index]))
    }
    return mistakes
  }

  /// Checks a font file. For a font that fontconfig finds, only the tables that layout needs are checked. For a font
  /// that is named by its file, the checksums must be right, too, except those that a decoder of WOFF or WOFF2 has
  /// computed itself.
  private func check(_ file: ByteString, _ key: FaceKey, _ path: [String]) throws(CellError) {
    let face = try OpenTypeFace(file, index: Int(key.index))
    if key.writtenFile != nil {
      try face.checkTableSums()
      if files[key.path]?.format == nil { try face.checkFileSum() }
    }
    try FontAxes.check(key.axes, face)
    try FontFeatureReading.check(key.features, face)
    if let message = FontAxes.unheededWeight(key.weight, face) {
      warnings.append(CellError(message, path: path + ["weight"]))
    }
  }

  private func readFonts(_ node: SourceNode?) throws(CellError) {
    guard let node else { return }
    guard case .mapping(let members, _) = node else {
      return mistakes.append(CellError("must be fonts by name: {body: {family: Inter, size: 15}}", path: ["fonts"]))
    }
    for member in members {
      do throws(CellError) {
        let face = try face(of: member.value, path: ["fonts", member.key])
        fonts.append((member.key, face, try style(of: member.value)))
      } catch {
        mistakes.append(error.within(member.key).within("fonts"))
        fonts.append((member.key, 0, [SourceNode.Member(key: "size", value: .literal("1", nil))]))
      }
    }
  }

  /// The name that stands for all fonts of this machine in fontconfig's order.
  private static let system = "system"

  private func addSystemFallback() {
    for found in finder.systemFallback() where faces.count < ProgramArchive.maxFaces {
      let key = FaceKey(path: found.path, index: found.index, weight: found.isVariable ? 400 : 0)
      if faces.contains(key) { continue }
      // A font that the cells file does not name and that cannot be used is left out.
      do throws(CellError) { try find(key.path, written: nil) } catch {
        unusableFiles.append(key.path)
        continue
      }
      fallback.append(faces.count)
      faces.append(key)
      paths.append(["fallback"])
    }
  }

  private func readFallback(_ node: SourceNode?) throws(CellError) {
    guard let node else { return }
    if node.isString(Self.system) { return addSystemFallback() }
    guard case .sequence(let elements, _) = node else {
      mistakes.append(CellError("must be a list of families, or system", path: ["fallback"]))
      return
    }
    for (index, element) in elements.enumerated() {
      do throws(CellError) {
        if element.isString(Self.system) {
          guard index == elements.count - 1 else {
            throw CellError("is system, which comes last: it takes what is left")
          }
          addSystemFallback()
          continue
        }
        var named = element
        if case .string(let family, let position) = element {
          named = .mapping([SourceNode.Member(key: "family", value: .string(family, position))], position)
        }
        if named["fontFeatures"] != nil {
          throw CellError(
            "is not a property of a fallback font, which has the features of the font that it stands in for",
            path: ["fontFeatures"])
        }
        let path = ["fallback", "\(index)"]
        for key in Self.keysOfStyles where named[key] != nil {
          warn("a fallback font has the one of the font that it stands in for", path + [key])
        }
        fallback.append(try face(of: named, path: path))
      } catch {
        mistakes.append(error.within("\(index)").within("fallback"))
      }
    }
  }

  private func face(of node: SourceNode, path: [String]) throws(CellError) -> Int {
    guard case .mapping(let members, _) = node else {
      throw CellError(
        path.first == "fallback"
          ? "must say family or file: {family: Inter}" : "must say family or file, and size: {family: Inter, size: 15}")
    }
    for member in members where !Self.keys.contains(member.key) {
      throw CellError("is not a property of a font, which has \(Self.keys.joined(separator: ", "))").within(member.key)
    }
    let weight = try FontReading.weight(node["weight"])
    let isItalic = try FontReading.isItalic(node["italic"])
    var key: FaceKey
    switch (node["file"], node["family"]) {
    case (let file?, nil):
      guard case .string(let name, _) = file else { throw CellError("must be a path", path: ["file"]) }
      key = FaceKey(
        path: URL(fileURLWithPath: name, relativeTo: directory).path,
        index: try FontReading.faceIndex(node["faceIndex"]),
        weight: node["weight"] == nil ? 0 : UInt32(weight), writtenFile: name)
      if node["italic"] != nil { warn("the file is used as it is; name an italic one", path + ["italic"]) }
    case (nil, let family?):
      key = try faceKey(family: family, weight: weight, isItalic: isItalic, path: path)
      if node["faceIndex"] != nil { warn("the face is found by its family and weight", path + ["faceIndex"]) }
    default: throw CellError("must say either family or file")
    }
    if let axes = node["axes"] {
      let read = try FontAxes.read(axes)
      key.axes = (read + key.axes.filter { axis in !read.contains { $0.tag == axis.tag } }).sorted { $0.tag < $1.tag }
      if node["weight"] != nil && key.axes.contains(where: { $0.tag == FontAxes.weight }) {
        throw CellError("is the weight, which is there already; leave one of them out", path: ["axes", "wght"])
      }
      // The weight was used only to find a file of the family.
      if key.axes.contains(where: { $0.tag == FontAxes.weight }) { key.weight = 0 }
    }
    if let features = node["fontFeatures"] {
      key.features = try FontFeatureReading.read(features)
      guard Set(faces.map(\.features)).union([key.features, []]).count <= FontBook.maxFeatureLists + 1 else {
        throw CellError(
          "is one list too many; the fonts of a cells file have at most \(FontBook.maxFeatureLists) different ones",
          path: ["fontFeatures"])
      }
    }
    try find(key.path, written: key.writtenFile)
    if let index = faces.firstIndex(of: key) { return index }
    guard faces.count < ProgramArchive.maxFaces else {
      throw CellError("is one font too many; a cells file has at most \(ProgramArchive.maxFaces) faces")
    }
    faces.append(key)
    paths.append(path)
    return faces.count - 1
  }

  private func warn(_ reason: String, _ path: [String]) {
    warnings.append(CellError("is not used: \(reason)", path: path))
  }

  private func faceKey(
    family: SourceNode, weight: Double, isItalic: Bool, path: [String]
  ) throws(CellError) -> FaceKey {
    guard case .string(let name, _) = family else { throw CellError("must be the name of a family", path: ["family"]) }
    guard let found = finder.find(family: name, weight: weight, italic: isItalic) else {
      throw CellError(finder.absence(of: name), path: ["family"])
    }
    var key = FaceKey(path: found.path, index: found.index, weight: found.isVariable ? UInt32(weight) : 0)
    guard isItalic else { return key }
    try find(key.path, written: nil)
    let file = found.isVariable ? files[key.path]?.bytes(maps: true) : nil
    key.axes = file.flatMap { FontAxes.italic(ofFace: key.index, in: $0) }.map { [$0] } ?? []
    if key.axes.isEmpty && !found.isItalic { warn("the family \"\(name)\" has no italic font", path + ["italic"]) }
    return key
  }

  private func find(_ path: String, written: String?) throws(CellError) {
    guard files[path] == nil else { return }
    do throws(CellError) { files[path] = try FontFile(path) } catch {
      throw CellError("\(written ?? path) \(error.message)", path: [written == nil ? "family" : "file"])
    }
  }

  /// Returns the properties of a font that the archive has beside its face.
  private func style(of node: SourceNode) throws(CellError) -> [SourceNode.Member] {
    if node["size"] == nil { throw CellError("needs a size in points") }
    return Self.keysOfStyles.compactMap { key in node[key].map { SourceNode.Member(key: key, value: $0) } }
  }

  /// Orders the faces so that those of one file follow each other, which lets them share its bytes, and renumbers them.
  private func groupByFile() {
    var order: [Int] = []
    for index in faces.indices where !order.contains(index) {
      order += faces.indices.filter { faces[$0].path == faces[index].path }
    }
    let numbers = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($0.element, $0.offset) })
    faces = order.map { faces[$0] }
    paths = order.map { paths[$0] }
    fallback = fallback.map { numbers[$0] ?? $0 }
    for index in fonts.indices { fonts[index].face = numbers[fonts[index].face] ?? fonts[index].face }
  }
}
