import Buffers
import Foundation
import TextMeasuring

/// The report of the time of a text of about a hundred characters, with that of Pango if it is installed.
enum TextReport {
  private static let count = 20_000
  static let size = 15.0
  private static let widths = 8

  static func print() {
    guard let book = fonts() else {
      Swift.print("texts: skipped, because fonts-inter and fonts-noto-core are not installed")
      return
    }
    let pango = Pango()
    Swift.print("\ntexts of 100 characters, µs per text       first width   further width   cache hits")
    let english = TextWorkload.english(count: count)
    line(english.name + ", cold", measure(english, book, passes: 1))
    let warm = measure(english, book, passes: 2)
    line(english.name + ", warm", warm)
    for workload in [TextWorkload.european(count: count), .japanese(count: count), .mixed(count: count)] {
      line(workload.name + ", warm", measure(workload, book, passes: 2))
    }
    let cold = TextWorkload.cold(count: count)
    line(cold.name, measure(cold, book, passes: 1))
    guard let pango else {
      Swift.print("Pango: skipped, because libpangoft2-1.0 is not installed")
      return
    }
    let pangoTimes = pango.measure(Array(english.texts.prefix(500)), size: size)
    Swift.print(
      row("Pango, the same English, layout reused "),
      String(format: "%11.1f %15.1f", pangoTimes.first, pangoTimes.further))
    Swift.print(
      row("ratio to Galley        "),
      String(format: "%11.0f %15.0f", pangoTimes.first / warm.first, pangoTimes.further / warm.further))
  }

  struct Times {
    /// The microseconds per text for the first width.
    var first = 0.0
    /// The microseconds per text for a further width.
    var further = 0.0
    var hitRate = 0.0
  }

  /// Returns the times of the last of a number of passes over all texts with one measurer.
  private static func measure(_ workload: TextWorkload, _ book: FontBook, passes: Int) -> Times {
    var measurer = TextMeasurer(book: book)
    var times = Times()
    for _ in 0..<passes {
      measurer.resetCacheStatistics()
      times = Self.times(of: workload.texts) { text, width in
        if let text { measurer.prepareAlone(text, lineHeight: 20) }
        _ = measurer.measure(0, textScale: 1, maxWidth: width, maxHeight: .infinity)
      }
    }
    times.hitRate = measurer.cacheHitRate
    return times
  }

  /// Returns the times of a pass over texts.
  ///
  /// - Parameter measure: A function that measures a text at a width; without a text, the one before at another width.
  static func times(of texts: [ByteString], _ measure: (ByteString?, Double) -> Void) -> Times {
    var times = Times()
    for text in texts {
      let begin = ContinuousClock.now
      measure(text, 350)
      let middle = ContinuousClock.now
      for width in 0..<widths { measure(nil, 200 + Double(width) * 20) }
      times.first += begin.duration(to: middle).microseconds
      times.further += middle.duration(to: .now).microseconds
    }
    times.first /= Double(texts.count)
    times.further /= Double(texts.count * widths)
    return times
  }

  private static func line(_ name: String, _ times: Times) {
    Swift.print(
      row(name), String(format: "%11.2f %15.3f %10.1f %%", times.first, times.further, times.hitRate * 100))
  }

  private static func row(_ name: String) -> String { name.padding(toLength: 42, withPad: " ", startingAt: 0) }

  /// Returns Inter with fallback fonts, or nil if one is not installed.
  static func fonts() -> FontBook? {
    let names = [
      "Inter-Regular.otf", "NotoSans-Regular.ttf", "NotoSansArabic-Regular.ttf", "NotoSansThai-Regular.ttf",
      "NotoSansDevanagari-Regular.ttf", "NotoSansCJK-Regular.ttc", "NotoColorEmoji.ttf",
    ]
    var found: [String: URL] = [:]
    let files = FileManager.default.enumerator(
      at: URL(fileURLWithPath: "/usr/share/fonts"), includingPropertiesForKeys: nil)
    while let url = files?.nextObject() as? URL { found[url.lastPathComponent] = url }
    var sources: [FontBook.Source] = []
    for name in names {
      guard let url = found[name], let data = try? Data(contentsOf: url, options: .mappedIfSafe) else { return nil }
      // Fonts read the bytes until the program ends, so they are never deallocated.
      let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: data.count)
      data.copyBytes(to: bytes, count: data.count)
      sources.append(.init(file: ByteString(start: bytes, count: data.count), index: 0, weight: 0))
    }
    return try? FontBook(sources, fallback: (1..<Int32(names.count)).map { $0 })
  }
}

extension TextMeasurer {
  /// Prepares a text in place of all others, so that its index is 0.
  mutating func prepareAlone(
    _ text: ByteString, lineHeight: Double = .nan, _ options: TextOptions = TextOptions()
  ) {
    var run = TextRun(text: text, style: TextStyle(face: 0, size: TextReport.size, lineHeight: lineHeight))
    removeAll()
    withUnsafePointer(to: &run) { _ = prepare(UnsafeBufferPointer(start: $0, count: 1), options) }
  }
}

extension Duration {
  var microseconds: Double { Double(components.seconds) * 1e6 + Double(components.attoseconds) * 1e-12 }
}
