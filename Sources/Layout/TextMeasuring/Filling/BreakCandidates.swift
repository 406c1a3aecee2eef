import Buffers

/// The places at which the lines of a paragraph can end, and the choice of lines that together have the least score. Source: minikin's
/// `OptimalLineBreaker`, whose scores Chromium has too.
///
/// Numbers are of 32 bits as there, so that of two choices with nearly the same score the same one is taken.
struct BreakCandidates: ~Copyable {
  /// A place at which a line can end. It is not private, because the compiler of Swift 6.3 ends with an error for a private type in a
  /// buffer of a value that another file makes.
  struct Candidate: BitwiseCopyable {
    /// The first unit of the next line.
    var unit: Int32
    /// The index of the segment that holds it, in a text that is cut into segments.
    var segment: Int32 = 0
    /// The width of the text up to it, with the spaces before it.
    var before: Float
    /// The width of the text up to it if a line ends here: without the spaces before it, and with the hyphen.
    var after: Float
    var penalty: Float = 0
    /// The best score of the lines up to it.
    var score: Float = 0
    /// The index of the candidate at which the last of those lines starts.
    var previous: Int32 = 0
    var isHyphenated = false
  }

  /// What the score of lines depends on.
  struct Parameters {
    /// Whether the last line counts like the others, as with `text-wrap: balance`.
    var isBalanced: Bool
    /// The widths of the widest first line and of the widest other lines, in the unit of the candidates' widths.
    var firstLimit: Float
    var limit: Float
    /// The score of a line beside the square of its unused width. That of a hyphen is half of it.
    var linePenalty: Float
  }

  var values = FlatBuffer<Candidate>(capacity: 64)
  /// The indices of the candidates at which the lines end that were chosen.
  private(set) var chosen = FlatBuffer<Int32>(capacity: 16)
  /// The indices of the candidates at which a line that ends later can start with the least score.
  private var starts = FlatBuffer<Int32>(capacity: 64)

  /// The largest number of starts of a line that are compared for its end. Lines on screens have fewer characters.
  static let maxStarts = 4096
  private static let overfull: Float = 1e12
  /// The factor of the penalty of a break before the last line.
  private static let lastLineFactor: Float = 4

  /// Chooses the lines. Returns false, and chooses none, if a line has more than `maxStarts` starts to compare.
  ///
  /// - Parameter mergesPlaces: whether only some candidates of equal widths are compared; see `appendStart`.
  mutating func choose(_ parameters: Parameters, mergesPlaces: Bool) -> Bool {
    guard score(parameters, mergesPlaces) else { return false }
    chosen.removeAll()
    var index = Int32(truncatingIfNeeded: values.count - 1)
    while index > 0 {
      chosen.append(index)
      index = values[Int(index)].previous
    }
    var indices = UnsafeMutableBufferPointer(start: chosen.base, count: chosen.count)
    indices.reverse()
    return true
  }

  /// Finds the lines up to each candidate that have the least score.
  private mutating func score(_ parameters: Parameters, _ mergesPlaces: Bool) -> Bool {
    let base = values.base
    let last = values.count - 1
    starts.removeAll()
    starts.append(0)
    var active = 0
    for end in 1..<max(values.count, 1) {
      var best = Float.greatestFiniteMagnitude
      var bestStart: Int32 = 0
      var hope: Float = 0
      let addsPenalty = end == last && !parameters.isBalanced
      @inline(__always)
      func compare(_ index: Int, _ leftEdge: Float) {
        let start = starts[index]
        let candidate = base + Int(start)
        if candidate.pointee.score + hope >= best { return }
        let slack = candidate.pointee.before - leftEdge
        var cost: Float = 0
        var extra: Float = 0
        if slack < 0 {
          cost = Self.overfull
          active = index + 1
        } else if addsPenalty {
          extra = Self.lastLineFactor * candidate.pointee.penalty
          hope = 0
        } else {
          cost = slack * slack
          hope = cost
        }
        let score = candidate.pointee.score + cost + extra
        if score <= best { (best, bestStart) = (score, start) }
      }
      var first = active
      if first == 0 {
        // Only the first line starts at the first candidate.
        compare(0, base[end].after - parameters.firstLimit)
        if parameters.firstLimit != parameters.limit { hope = 0 }
        first = 1
      }
      let leftEdge = base[end].after - parameters.limit
      for index in first..<starts.count { compare(index, leftEdge) }
      base[end].score = best + base[end].penalty + parameters.linePenalty
      base[end].previous = bestStart
      appendStart(end, from: mergesPlaces ? active : starts.count)
      if starts.count - active > Self.maxStarts { return false }
    }
    return true
  }

  /// Appends a candidate to those at which lines start. Of several at one place, which characters without a width make, the first of
  /// the best and the last one remain: an overfull line prefers the last of equal ones.
  ///
  /// - Parameter first: the index of the first of the starts that the candidate can replace.
  private mutating func appendStart(_ candidate: Int, from first: Int) {
    let new = values[candidate]
    func isThere(_ number: Int) -> Bool {
      guard starts.count - number >= first else { return false }
      let start = values[Int(starts[starts.count - number])]
      return start.before == new.before && start.penalty == new.penalty
    }
    if isThere(1), isThere(2) || new.score < values[Int(starts[starts.count - 1])].score {
      starts.truncate(to: starts.count - 1)
    }
    starts.append(Int32(truncatingIfNeeded: candidate))
  }
}
