/// The shares of texts, by class, whose number of lines and height are the same in the layout and on the device.
struct CalibrationComparison {
  /// The most points by which two heights of a text differ that are equal. Devices round to 1/64 point, or count in 32
  /// bits.
  static let heightTolerance = 0.05

  private struct Count {
    var texts = 0
    var before = Equal()
    var after = Equal()
  }

  private struct Equal {
    var lines = 0
    var heights = 0

    mutating func add(_ size: KitText.Size, _ measured: KitText.Size) {
      if size.lines == measured.lines { lines += 1 }
      if CalibrationComparison.isEqual(size.height, measured.height) { heights += 1 }
    }
  }

  private var all = Count()
  private var classes: [(kind: String, counts: [String: Count])] = []
  private let isFitted: Bool

  /// - Parameters:
  ///   - before: the sizes of the texts in the layout.
  ///   - after: those with the calibration that was found; nil if none was.
  init(_ cases: [MeasuredTexts.Case], before: [KitText.Size], after: [KitText.Size]?) {
    isFitted = after != nil
    for (index, each) in cases.enumerated() {
      func add(to count: inout Count) {
        count.texts += 1
        count.before.add(before[index], each.measured)
        if let after { count.after.add(after[index], each.measured) }
      }
      add(to: &all)
      for (position, named) in each.text.classes.enumerated() {
        if position == classes.count { classes.append((named.kind, [:])) }
        add(to: &classes[position].counts[named.name, default: Count()])
      }
    }
  }

  static func isEqual(_ height: Double, _ other: Double) -> Bool { (height - other).magnitude <= heightTolerance }

  /// Returns the table of shares.
  ///
  /// - Parameter missing: the number of texts of the kit that were not measured.
  func text(missing: Int) -> String {
    var rows = [["", "texts", "lines", "height"] + (isFitted ? ["lines after", "height after"] : [])]
    rows.append(row("all", all))
    for (kind, counts) in classes {
      for (name, count) in counts.sorted(by: { $0.key < $1.key }) { rows.append(row("\(kind) \(name)", count)) }
    }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let table = rows.map { row in
      row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? cell + space : space + cell
      }.joined(separator: "  ")
    }
    let total = all.texts + missing
    return "\(all.texts) of \(total) texts were measured; shares of equal numbers of lines and of equal heights:\n"
      + table.joined(separator: "\n")
  }

  private func row(_ name: String, _ count: Count) -> [String] {
    let shares =
      [count.before.lines, count.before.heights] + (isFitted ? [count.after.lines, count.after.heights] : [])
    return [name, "\(count.texts)"] + shares.map { Self.percent($0, of: count.texts) }
  }

  /// Returns a share in tenths of a percent, which is 100 only for all.
  static func percent(_ part: Int, of whole: Int) -> String {
    let tenths = part == whole ? 1000 : min(999, (part * 1000 + whole / 2) / whole)
    return "\(tenths / 10).\(tenths % 10) %"
  }
}
