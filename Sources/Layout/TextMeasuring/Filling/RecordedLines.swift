import Buffers

/// The recorded ends of lines. Those of the last filling of each text can be found again.
///
/// A layout measures each text in the box of its frame, so that the lines of the frame need not be filled once more.
struct RecordedLines: ~Copyable {
  /// The conditions on which the lines of a text depend.
  struct Conditions: BitwiseCopyable, Equatable {
    var textScale: Double
    var maxWidth: Double
    var maxHeight: Double
  }

  /// The last filling of a text. It is not private, because the compiler of Swift 6.3 ends with an error for a private type in a
  /// buffer of a value that another file makes.
  struct Filling: BitwiseCopyable {
    var conditions = Conditions(textScale: .nan, maxWidth: .nan, maxHeight: .nan)
    var ends = PreparedText.Run()
  }

  /// The ends of all fillings one after the other.
  private var ends = FlatBuffer<LineEnd>(capacity: 64)
  /// The last filling of each text, by its number.
  private var fillings = FlatBuffer<Filling>(capacity: 16)
  private var current = PreparedText.Run()

  /// The ends of the lines of the current filling, which is the last one or one that was found.
  var values: UnsafeBufferPointer<LineEnd> {
    UnsafeBufferPointer(start: ends.base + current.first, count: current.count)
  }

  /// Starts a filling, which has no lines until some are appended.
  mutating func start() { current = PreparedText.Run(first: ends.count, count: 0) }

  @inline(__always)
  mutating func append(_ end: LineEnd) {
    ends.append(end)
    current.count += 1
  }

  /// The number of lines of the current filling.
  var count: Int { current.count }

  /// Removes the last lines of the current filling, so that `count` lines are left.
  mutating func truncate(to count: Int) {
    ends.truncate(to: current.first + count)
    current.count = count
  }

  /// Ends the current filling, which is then the last one of this text.
  mutating func end(text: Int, _ conditions: Conditions) {
    while fillings.count <= text { fillings.append(Filling()) }
    fillings[text] = Filling(conditions: conditions, ends: current)
  }

  /// Makes the last filling of a text the current one, and returns whether it had these conditions.
  mutating func find(text: Int, _ conditions: Conditions) -> Bool {
    guard text < fillings.count, fillings[text].conditions == conditions else { return false }
    current = fillings[text].ends
    return true
  }

  mutating func removeAll() {
    ends.removeAll()
    fillings.removeAll()
    current = PreparedText.Run()
  }
}

/// The end of a line of a measured text.
struct LineEnd: BitwiseCopyable {
  /// The offset after the line's last unit, in the text.
  var unit: Int32
  /// The width in points without hanging spaces.
  var width: Double
  /// The width in points with hanging spaces.
  var hangingWidth: Double
  /// The distances that the line reaches above and below its baseline, in points.
  var above: Double
  var below: Double
  /// Whether a hyphen follows that is not a character of the text.
  var isHyphenated = false
  /// What rectangles exclude of the line.
  var exclusion = LineExclusion()
}
