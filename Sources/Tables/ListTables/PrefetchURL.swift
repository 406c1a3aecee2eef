/// A URL as a key. Two URLs are equal if their bytes are. Strings are also equal if they only differ in the composition
/// of accents, but servers distinguish these.
struct PrefetchURL: Hashable {
  let url: String

  init(_ url: String) { self.url = url }

  static func == (a: PrefetchURL, b: PrefetchURL) -> Bool { a.url.utf8.elementsEqual(b.url.utf8) }

  func hash(into hasher: inout Hasher) {
    var url = url
    url.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
