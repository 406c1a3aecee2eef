import Buffers

/// A piece of a text that no line breaks, with the spaces after it. Widths are in points at text scale 1.
struct Segment: BitwiseCopyable {
  /// Of what is shown, without the letter spacing.
  var advance = 0.0
  /// Of the spaces that follow; they hang where a line ends.
  var space = 0.0
  /// Letter spacing of both, which does not scale with the text.
  var advanceSpacing = 0.0
  var spaceSpacing = 0.0
  /// Where it starts, its spaces start, and it ends, in the text's units.
  var start: Int32 = 0
  var spaceStart: Int32 = 0
  var end: Int32 = 0
  /// Index of the first of its clusters, once a line had to break inside it.
  var clusters: Int32 = -1
  var clusterCount: Int32 = 0
  /// Which of the paragraph's line metrics it brings to its line, a bit each.
  var metrics: UInt32 = 0
  /// The line ends here whatever fits.
  var endsLine = false
  /// Nothing but a tab.
  var isTab = false

  @inline(__always)
  var isBlank: Bool { start == spaceStart }
}

/// A cluster of a segment that had to be broken inside.
struct Cluster: BitwiseCopyable {
  /// In points at text scale 1, without letter spacing.
  var advance: Double
  var spacing: Double
  /// Where it starts in the text's units.
  var start: Int32
}

/// How far a style or face reaches above and below the baseline of its lines, in points at text scale 1.
struct LineMetrics: BitwiseCopyable, Equatable {
  var above: Double
  var below: Double
}

/// A stretch of a text in one style, face and script.
struct Item: BitwiseCopyable {
  var start: Int32
  var end: Int32
  var style: TextStyle
  var context: ShapingContext
}

/// A text cut into segments, ready to be filled into lines of any width.
struct PreparedText: BitwiseCopyable {
  var segments = Run()
  var items = Run()
  var metrics = Run()
  var options = TextOptions()
  /// Width of a tab stop and of the truncation string.
  var tabWidth = 0.0
  var truncationWidth = 0.0
  /// Where its units start among all units.
  var unitStart = 0

  /// A run of indices into the buffers of the measurer.
  struct Run: BitwiseCopyable {
    var first = 0
    var count = 0
  }
}
