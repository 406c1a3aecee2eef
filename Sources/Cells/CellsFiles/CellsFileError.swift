import CellTemplates

/// What is wrong with a cells file, and where: all mistakes that one run finds, sorted by place.
public struct CellsFileError: Error, Equatable, CustomStringConvertible {
  public struct Mistake: Hashable, Sendable {
    /// Counted from 1; nil where the place is not known.
    public var line: Int?
    public var column: Int?
    /// `cells.PostCell.layout.children[2].colour: is not a property of text`
    public let message: String
  }

  public let path: String
  public let mistakes: [Mistake]

  public init(path: String, line: Int? = nil, column: Int? = nil, message: String) {
    self.path = path
    mistakes = [Mistake(line: line, column: column, message: message)]
  }

  init(path: String, _ errors: [CellError], _ source: SourceNode) {
    self.path = path
    var mistakes: [Mistake] = []
    var known: Set<Mistake> = []
    for error in errors {
      let place = source.place(of: error.path)
      let mistake = Mistake(line: place?.line, column: place?.column, message: error.description)
      if known.insert(mistake).inserted { mistakes.append(mistake) }
    }
    self.mistakes = mistakes.sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) }
  }

  /// A line a mistake, for the first of them: `posts.yaml:12:7: cells.PostCell.layout.children[2].colour: is not a property of text`.
  public var lines: [String] {
    let shown = mistakes.prefix(Self.maxShown).map { mistake in
      var place = path
      if let line = mistake.line { place += ":\(line)" }
      if let column = mistake.column { place += ":\(column)" }
      return "\(place): \(mistake.message)"
    }
    return mistakes.count > shown.count ? shown + ["… and \(mistakes.count - shown.count) more"] : shown
  }

  /// Mistakes that are shown one by one.
  private static let maxShown = 100

  public var description: String { lines.joined(separator: "\n") }
}
