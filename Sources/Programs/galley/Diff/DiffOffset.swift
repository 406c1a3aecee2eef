import Buffers
import CellTemplates
import ListTables

/// The offset at which a row of one variant is where it was before.
struct DiffOffset: Encodable {
  let name: String
  let offset: Double

  /// - Throws: `RunFailure` if the earlier list has no row with the id, `TableError` if a table is damaged.
  init(_ variant: String, _ diff: ListDiff, keeping id: String, at offset: Double) throws {
    name = variant
    switch try diff.anchor(withID: id) {
    case .row(let row):
      if let kept = diff.offset(keeping: row, at: offset) {
        self.offset = kept
      } else {
        Messages.warning("\(diff.new.path): no row of \(diff.old.path) is left; the list begins at offset 0")
        self.offset = 0
      }
    case .inserted:
      throw RunFailure(
        message: "--anchor: row \"\(id)\" is only in \(diff.new.path); name a row of \(diff.old.path), the earlier list"
      )
    case .unknown:
      throw RunFailure(
        message: "--anchor: no row of \(diff.old.path) or \(diff.new.path) has the id \"\(id)\""
          + didYouMean(id, among: try Self.similarIDs(id, in: diff.old.heights)))
    }
  }

  /// The offset as a number without needless digits.
  var number: String { shortText(offset) }

  var text: String { "\(name) \(number)" }

  /// The largest number of ids among which a suggestion is searched for.
  private static let maxSimilarIDs = 1000

  /// Returns ids that differ from an id in at most two neighbouring bytes. A list has too many ids for a more thorough
  /// comparison with each of them.
  private static func similarIDs(_ id: String, in heights: Heights) throws(TableError) -> [String] {
    let id = Array(id.utf8)
    var similar: [String] = []
    for row in 0..<heights.rowCount where similar.count < maxSimilarIDs {
      let other = try heights.idBytes(of: row)
      let longer = max(id.count, other.count)
      guard longer - min(id.count, other.count) <= 1 else { continue }
      let beginning = zip(id, other).prefix { $0 == $1 }.count
      let end = zip(id.reversed(), other.reversed()).prefix { $0 == $1 }.count
      if beginning + end >= longer - 2 { similar.append(String(decoding: other, as: UTF8.self)) }
    }
    return similar
  }
}
