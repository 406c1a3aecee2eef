/// What is wrong with a cells file or a row, and where in it.
public struct CellError: Error, Equatable, Sendable {
  public var message: String
  /// From the outside in: `cells`, `PhotoCell`, `layout`, `children`, `0`.
  public var path: [String]

  public init(_ message: String, path: [String] = []) {
    self.message = message
    self.path = path
  }

  public func within(_ component: String) -> CellError { CellError(message, path: [component] + path) }

  public func within(contentsOf outer: [String]) -> CellError { CellError(message, path: outer + path) }

  /// `layout.children[2].style: …`
  public var description: String {
    path.isEmpty ? message : "\(Self.format(path)): \(message)"
  }

  public static func format(_ path: [String]) -> String {
    var text = ""
    for component in path {
      if Int(component) != nil {
        text += "[\(component)]"
      } else {
        text += text.isEmpty ? component : ".\(component)"
      }
    }
    return text
  }
}

/// The candidate nearest to what was written, if it is near enough to be meant.
func suggestion(for written: String, among candidates: some Sequence<String>) -> String? {
  let limit = max(1, written.count / 3)
  return candidates.map { (name: $0, distance: editDistance(written, $0)) }
    .filter { $0.distance <= limit || startsAlike(written, $0.name) }
    .min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
}

/// `childs` and `children`: far apart, but meant.
private func startsAlike(_ a: String, _ b: String) -> Bool {
  let common = zip(a.lowercased(), b.lowercased()).prefix { $0 == $1 }.count
  return common >= 4 && common * 2 > b.count
}

/// ` (did you mean "PhotoCell"?)`, or nothing.
public func didYouMean(_ written: String, among candidates: some Sequence<String>) -> String {
  suggestion(for: written, among: candidates).map { " (did you mean \"\($0)\"?)" } ?? ""
}

/// Insertions, deletions, replacements and swaps of neighbours, ignoring case.
private func editDistance(_ a: String, _ b: String) -> Int {
  let a = Array(a.lowercased().unicodeScalars.prefix(64))
  let b = Array(b.lowercased().unicodeScalars.prefix(64))
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in 0..<a.count {
    var row = [i + 1]
    for j in 0..<b.count {
      var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
      row.append(best)
    }
    beforeLast = last
    last = row
  }
  return last[b.count]
}
