/// A string as a key that is compared by its bytes. Strings are also equal if they only differ in the composition of
/// accents, but names in tables and URLs are not.
package struct UTF8Key: Hashable, Sendable {
  private let text: String

  package init(_ text: String) { self.text = text }

  package static func == (a: UTF8Key, b: UTF8Key) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
