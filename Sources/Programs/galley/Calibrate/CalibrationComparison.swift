/// The shares of texts, by class, whose number of lines and height are the same in the layout and on the device.
struct CalibrationComparison {
  /// The most points by which two heights of a text differ that are equal. Devices round to 1/64 point, or count in 32
  /// bits.
  static let heightTolerance = 0.05

  private let cases: [MeasuredTexts.Case]
  /// The sizes of the texts in the layout, and those with the calibration that was found, if one was.
  private let sizes: [[KitText.Size]]

  /// - Parameters:
  ///   - before: the sizes of the texts in the layout.
  ///   - after: those with the calibration that was found; nil if none was.
  init(_ cases: [MeasuredTexts.Case], before: [KitText.Size], after: [KitText.Size]?) {
    self.cases = cases
    sizes = [before] + (after.map { [$0] } ?? [])
  }

  static func isEqual(_ height: Double, _ other: Double) -> Bool { (height - other).magnitude <= heightTolerance }

  /// Returns the table of shares.
  ///
  /// - Parameter missing: the number of texts of the kit that were not measured.
  func text(missing: Int) -> String {
    var rows = [["", "texts", "lines", "height"] + (sizes.count > 1 ? ["lines after", "height after"] : [])]
    rows.append(row("all", Array(cases.indices)))
    // All texts have classes of the same kinds.
    for position in cases.first?.text.classes.indices ?? 0..<0 {
      let classes = Dictionary(grouping: cases.indices) { cases[$0].text.classes[position].name }
      for (name, texts) in classes.sorted(by: { $0.key < $1.key }) {
        rows.append(row("\(cases[0].text.classes[position].kind) \(name)", texts))
      }
    }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let table = rows.map { row in
      row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? cell + space : space + cell
      }.joined(separator: "  ")
    }
    return
      "\(cases.count) of \(cases.count + missing) texts were measured; shares of equal numbers of lines and of equal heights:\n"
      + table.joined(separator: "\n")
  }

  /// - Parameter texts: The indices of the texts that the row is about.
  private func row(_ name: String, _ texts: [Int]) -> [String] {
    let equal = sizes.flatMap { sizes in
      [
        texts.count { sizes[$0].lines == cases[$0].measured.lines },
        texts.count { Self.isEqual(sizes[$0].height, cases[$0].measured.height) },
      ]
    }
    return [name, "\(texts.count)"] + equal.map { Self.percent($0, of: texts.count) }
  }

  /// Returns a share in tenths of a percent, which is 100 only for all.
  static func percent(_ part: Int, of whole: Int) -> String {
    let tenths = part == whole ? 1000 : min(999, (part * 1000 + whole / 2) / whole)
    return "\(tenths / 10).\(tenths % 10) %"
  }
}
