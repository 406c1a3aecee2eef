import PoolProtocol

/// The bytes of an envelope that the lists of a status may use. Entries that exceed them are left out.
struct StatusRoom {
  /// The bytes of the largest envelope without those of the fields beside the lists.
  private var bytes = ProtocolLimits.envelopeBytes - 2048

  /// The bytes of the numbers of an entry with all tags and sizes, at most.
  private static let bytesOfNumbers = 128

  /// Returns the entries of the first elements for which there is room.
  ///
  /// - Parameter texts: The texts of an entry.
  mutating func take<Element, Entry>(
    _ elements: some Sequence<Element>, texts: [KeyPath<Entry, String>], _ describe: (Element) -> Entry?
  ) -> [Entry] {
    var taken: [Entry] = []
    for element in elements {
      guard let entry = describe(element) else { continue }
      let mostBytes = texts.reduce(Self.bytesOfNumbers) { $0 + entry[keyPath: $1].utf8.count }
      guard mostBytes <= bytes else { break }
      bytes -= mostBytes
      taken.append(entry)
    }
    return taken
  }
}
