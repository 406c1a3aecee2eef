import Buffers
import LayoutEngine

@testable import TextMeasuring

extension TextMeasurer {
  /// Removes all texts and prepares one.
  mutating func prepareOnly(
    _ text: String, _ style: TextStyle, _ options: TextOptions, textScale: Double = 1
  ) -> Int {
    removeAll()
    let bytes = ByteString(keeping: text)
    defer { UnsafeMutablePointer(mutating: bytes.start).deallocate() }
    var run = TextRun(text: bytes, style: style)
    return withUnsafePointer(to: &run) {
      prepare(UnsafeBufferPointer(start: $0, count: 1), options, textScale: textScale)
    }
  }

  /// Changes the options of a prepared text on which its preparation does not depend.
  mutating func change(_ text: Int, _ body: (inout TextOptions) -> Void) {
    body(&store.prepared.texts.base[text].options)
  }

  /// The offsets at which the lines of the last measurement start.
  var platformStarts: [Int] { platformLines.map { Int($0.start) } }
}

extension TextOptions {
  /// Options for a platform with its default properties.
  init(_ platform: Platform, _ texts: PlatformTexts = PlatformTexts()) {
    self = texts.options(TextOptions(), for: platform)
  }
}
