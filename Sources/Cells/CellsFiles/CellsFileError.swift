import CellTemplates

/// The mistakes in a cells file that one run finds, sorted by line and column.
public struct CellsFileError: Error, Equatable, CustomStringConvertible {
  public struct Mistake: Hashable, Sendable {
    /// The number of the line, counted from 1, or nil if it is not known.
    public var line: Int?
    public var column: Int?
    /// The message with its path: `cells.PostCell.layout.children[2].colour: is not a property of text`.
    public let message: String
  }

  public let path: String
  public let mistakes: [Mistake]

  public init(path: String, line: Int? = nil, column: Int? = nil, message: String) {
    self.path = path
    mistakes = [Mistake(line: line, column: column, message: message)]
  }

  /// - Parameter positions: The positions of paths that `source` does not have.
  init(
    path: String, _ errors: [CellError], _ source: SourceNode, positions: [[String]: SourceNode.Position] = [:]
  ) {
    self.path = path
    var mistakes: [Mistake] = []
    var known: Set<Mistake> = []
    for error in errors {
      let position = positions[error.path] ?? source.position(of: error.path)
      let mistake = Mistake(
        line: position?.line, column: position?.column, message: error.description + (position?.use?.text ?? ""))
      if known.insert(mistake).inserted { mistakes.append(mistake) }
    }
    self.mistakes = mistakes.sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) }
  }

  /// One line for each of the first mistakes: `posts.yaml:12:7: cells.PostCell.layout.children[2].colour: is not a
  /// property of text`.
  public var lines: [String] {
    let shown = mistakes.prefix(Self.maxShown).map {
      "\(location(in: path, line: $0.line, column: $0.column)): \($0.message)"
    }
    return mistakes.count > shown.count ? shown + ["… and \(mistakes.count - shown.count) more"] : shown
  }

  /// The largest number of mistakes that are listed.
  private static let maxShown = 100

  public var description: String { lines.joined(separator: "\n") }
}

/// Returns a place in a file as `posts.yaml:12:7`, or the path alone for an unknown line.
public func location(in path: String, line: Int?, column: Int?) -> String {
  path + (line.map { ":\($0)" } ?? "") + (column.map { ":\($0)" } ?? "")
}
