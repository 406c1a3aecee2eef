import BatchLayout
import CellTemplates
import Hashing

/// A sample of the texts of all rows: as many of each stratum as there are of others, half of them with the smallest
/// margins. It depends only on the texts, not on their order.
struct KitSample {
  /// The number of texts that a sample has if the rows have as many.
  static let size = 500

  /// The texts that may be chosen, by script, font and number of lines, and by a hash of what a device would measure.
  private var strata: [[String]: [UInt64: KitText]] = [:]

  /// The properties that the programs of a kit do not set, of texts that were left out.
  private(set) var unknownProperties: Set<String> = []

  /// Adds a text, or leaves it out if a device would not measure it as the layout does.
  mutating func add(_ measured: MeasuredText, _ faces: [ProgramArchive.Face]) {
    guard let text = KitText(measured) else { return }
    guard let property = KitText.unknownProperty(of: measured, faces) else { return add(text) }
    unknownProperties.insert(property)
  }

  mutating func add(_ text: KitText) {
    let stratum = [text.script, text.font, text.lineClass]
    strata[stratum, default: [:]][Self.hash(text)] = text
    // A sample takes at most `size` texts in either order, so that the others can be left out.
    if let texts = strata[stratum], texts.count > 4 * Self.size {
      let kept = Self.byMargin(texts).prefix(Self.size) + Self.byHash(texts).prefix(Self.size)
      strata[stratum] = Dictionary(kept.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// Returns the texts of the sample, with ids.
  func texts() -> [KitText] {
    let orders = strata.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
      [Self.byMargin($0.value), Self.byHash($0.value)]
    }
    let most = orders.map { $0[0].count }.max() ?? 0
    var chosen: [UInt64: KitText] = [:]
    for round in 0..<most {
      for way in 0...1 {
        for order in orders where round < order[way].count && chosen.count < Self.size {
          chosen[order[way][round].key] = order[way][round].value
        }
      }
    }
    let sorted = chosen.sorted {
      ($0.value.script, $0.value.font, $0.value.expected.lines, $0.key)
        < ($1.value.script, $1.value.font, $1.value.expected.lines, $1.key)
    }
    return sorted.enumerated().map { index, chosen in
      var text = chosen.value
      text.id = index + 1
      return text
    }
  }

  private typealias Entry = (key: UInt64, value: KitText)

  private static func byMargin(_ texts: [UInt64: KitText]) -> [Entry] {
    texts.sorted { ($0.value.margin ?? .infinity, $0.key) < ($1.value.margin ?? .infinity, $1.key) }
  }

  private static func byHash(_ texts: [UInt64: KitText]) -> [Entry] { texts.sorted { $0.key < $1.key } }

  private static func hash(_ text: KitText) -> UInt64 {
    let properties =
      "\(text.font) \(text.size) \(text.lineHeight ?? -1) \(text.letterSpacing) \(text.width) \(text.maxLines) "
      + "\(text.lineSpacing) \(text.preserve) \(text.breakStrategy ?? "") \(text.truncation) "
    return Checksum.of(properties + text.text, seed: 0)
  }
}
