/// The drawing of layout specs with characters (layout-semantics 7): a spec is a box around its children, and a node is its
/// name. Texture: `ASAsciiArtBoxCreator`.
public enum AsciiArt {
  /// Returns a box around children side by side.
  ///
  /// - Parameters:
  ///   - children: the drawings of the children, which can have several lines each.
  ///   - name: the name in the upper edge of the box.
  public static func horizontalBox(_ children: [String], name: String) -> String {
    guard !children.isEmpty else { return name }
    let blocks = children.map { Block($0) }
    let height = blocks.map(\.lines.count).max() ?? 0
    let columns = blocks.map { $0.centered(height: height) }
    var rows = (0..<height).map { row in "|  " + columns.map { $0[row] + "  " }.joined() + "|" }
    let missing = name.count + 4 - (rows.first?.count ?? 0)
    if rows.first.map({ $0.count < name.count }) == true {
      rows = rows.map { row in
        "|" + spaces((missing + 1) / 2) + row.dropFirst().dropLast() + spaces(missing / 2) + "|"
      }
    }
    return framed(rows, name)
  }

  /// Returns a number as `%.1f` of printf writes it, which is how ratios are drawn.
  public static func oneDecimal(_ number: Double) -> String {
    let product = number * 10
    // The product can be rounded to a tie, which the number is not.
    let error = (-product).addingProduct(number, 10)
    let isTie = product - product.rounded(.down) == 0.5 && error != 0
    let tenths = product.rounded(isTie ? (error > 0 ? .up : .down) : .toNearestOrEven)
    guard let whole = Int(exactly: tenths) else { return "\(number)" }
    return "\(whole / 10).\(whole % 10)"
  }

  /// Returns a box around children one below the other.
  ///
  /// - Parameters:
  ///   - children: the drawings of the children, which can have several lines each.
  ///   - name: the name in the upper edge of the box.
  public static func verticalBox(_ children: [String], name: String) -> String {
    guard !children.isEmpty else { return name }
    let blocks = children.map { Block($0) }
    let width = blocks.map(\.width).max() ?? 0
    let missing = width < name.count ? name.count + 4 - width : 0
    var rows: [String] = []
    for block in blocks {
      let left = (width - block.width + 1) / 2 + (missing + 1) / 2 + 2
      let right = (width - block.width) / 2 + missing / 2 + 2
      rows += block.lines.map { "|" + spaces(left) + $0 + spaces(right) + "|" }
    }
    return framed(rows, name)
  }

  /// A drawing as its lines.
  private struct Block {
    let lines: [String]
    /// The number of characters of the first line, which all lines have.
    let width: Int

    init(_ text: String) {
      lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      width = lines.first?.count ?? 0
    }

    /// Returns the lines with blank lines above and below, so that there are `height` lines.
    func centered(height: Int) -> [String] {
      let blank = spaces(width)
      let missing = height - lines.count
      return Array(repeating: blank, count: (missing + 1) / 2) + lines + Array(repeating: blank, count: missing / 2)
    }
  }

  private static func framed(_ rows: [String], _ name: String) -> String {
    let length = rows.first?.count ?? 0
    let missing = max(length - name.count, 0)
    let top = dashes((missing + 1) / 2) + name + dashes(missing / 2)
    return ([top] + rows + [dashes(length)]).joined(separator: "\n")
  }

  private static func dashes(_ count: Int) -> String { String(repeating: "-", count: count) }
}

private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
