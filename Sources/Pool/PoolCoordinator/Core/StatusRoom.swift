import PoolProtocol

/// The bytes of an envelope that the lists of a status may use. Entries that exceed them are left out.
struct StatusRoom {
  /// The bytes of the largest envelope without those of the fields beside the lists.
  private var bytes = ProtocolLimits.envelopeBytes - 2048

  /// Returns the entries of the first elements for which there is room.
  mutating func take<Element, Entry: StatusEntry>(
    _ elements: some Sequence<Element>, _ describe: (Element) -> Entry?
  ) -> [Entry] {
    var taken: [Entry] = []
    for element in elements {
      guard let entry = describe(element) else { continue }
      guard entry.mostBytes <= bytes else { break }
      bytes -= entry.mostBytes
      taken.append(entry)
    }
    return taken
  }
}

/// An entry in a list of a status.
protocol StatusEntry {
  /// The texts of the entry.
  var texts: [String] { get }
}

extension StatusEntry {
  /// The bytes of the numbers of an entry with all tags and sizes, at most.
  private static var bytesOfNumbers: Int { 128 }

  /// The bytes that the entry takes in the envelope, at most.
  fileprivate var mostBytes: Int { texts.reduce(Self.bytesOfNumbers) { $0 + $1.utf8.count } }
}

extension PoolStatus.Worker: StatusEntry {
  var texts: [String] { [name, host, key] }
}

extension PoolStatus.Batch: StatusEntry {
  var texts: [String] { [name, input, waiting, owner] }
}

extension PoolStatus.Client: StatusEntry {
  var texts: [String] { [host, key, batch] }
}
