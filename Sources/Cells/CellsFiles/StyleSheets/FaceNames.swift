import TextMeasuring

/// The names of faces in a style sheet.
struct FaceNames {
  /// A family for each face: its full name, with its weight or a number where another face has this name. Faces that differ
  /// only in their axes or features have one family, because these are properties of texts in CSS.
  private(set) var families: [String] = []
  /// The name of each face's file. Those that differ only in their weights have one file.
  private(set) var fileNames: [String] = []

  init(_ faces: [FontBook.Source]) {
    for (index, face) in faces.enumerated() {
      let same = faces[..<index].indices.filter {
        faces[$0].file.start == face.file.start && faces[$0].index == face.index
      }
      let name = face.fullName ?? "Font"
      if let other = same.first(where: { faces[$0].weight == face.weight }) {
        families.append(families[other])
      } else {
        families.append(Self.unique(name, among: families, separator: " ", number: face.weight))
      }
      let file = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
      fileNames.append(same.first.map { fileNames[$0] } ?? Self.unique(file, among: fileNames, separator: "-"))
    }
    fileNames = fileNames.map { "\($0).woff2" }
  }

  /// Returns a name, with a number at its end if it is among others.
  private static func unique(
    _ name: String, among others: [String], separator: String, number: UInt32 = 0
  ) -> String {
    guard others.contains(name) else { return name }
    var candidate = "\(name)\(separator)\(max(number, 2))"
    var next = 2
    while others.contains(candidate) {
      next += 1
      candidate = "\(name)\(separator)\(next)"
    }
    return candidate
  }
}
