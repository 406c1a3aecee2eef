import Buffers
import LayoutEngine

@testable import TextMeasuring

/// Calls a function with the runs of a text, whose characters are valid during the call.
func withRuns<Result>(
  _ strings: [(text: String, style: TextStyle)], _ body: (UnsafeBufferPointer<TextRun>) -> Result
) -> Result {
  let runs = strings.map { TextRun(text: ByteString(keeping: $0.text), style: $0.style) }
  defer { for run in runs { UnsafeMutablePointer(mutating: run.text.start).deallocate() } }
  return runs.withUnsafeBufferPointer { body($0) }
}

/// Calls a function with the only run of a text.
func withRun<Result>(
  _ text: String, letterSpacing: Double = 0, _ body: (UnsafeBufferPointer<TextRun>) -> Result
) -> Result {
  withRuns([(text, TextStyle(face: 0, size: 15, lineHeight: 20, letterSpacing: letterSpacing))], body)
}

extension TextMeasurer {
  /// Removes all texts and prepares one.
  mutating func prepareOnly(
    _ text: String, _ style: TextStyle, _ options: TextOptions, textScale: Double = 1
  ) -> Int {
    removeAll()
    return withRuns([(text, style)]) { prepare($0, options, textScale: textScale) }
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
