import Buffers
import LayoutEngine
import TextMeasuring

/// The shares of texts, by class, whose number of lines and height are the same in the layout and on the device.
struct CalibrationComparison {
  private let cases: [MeasuredTexts.Case]
  private let grid: PixelGrid
  /// The sizes of the texts in the layout, and those with the calibration that was found, if one was.
  private let sizes: [[KitText.Size]]

  /// - Parameters:
  ///   - before: the sizes of the texts in the layout.
  ///   - after: those with the calibration that was found; nil if none was.
  ///   - grid: The grid to which the layout rounds heights up.
  init(_ cases: [MeasuredTexts.Case], before: [KitText.Size], after: [KitText.Size]?, _ grid: PixelGrid) {
    self.cases = cases
    self.grid = grid
    sizes = [before] + (after.map { [$0] } ?? [])
  }

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

  /// The largest tolerance in points that differences of rounding explain, and the largest share of texts that differ for another
  /// reason than the conditions of the measurement.
  private static let plausibleTolerance = 2.0
  private static let plausibleDifferences = 0.1
  /// The least factor of all heights that is probably that of a unit.
  private static let leastUnit = 1.5

  /// Returns what makes it doubtful that the device has measured what the layout is for.
  func doubts(of fitted: DeviceCalibration) -> [String] {
    var doubts: [String] = []
    if let factor = factorOfUnits {
      doubts.append(
        "most heights are \(shortText(RangeFit.rounded(factor, 3))) times those of the layout: write them in points instead of device "
          + "pixels, and measure at the text scale of the kit")
    }
    if fitted.widthTolerance.magnitude > Self.plausibleTolerance {
      doubts.append(
        "a widthTolerance of \(shortText(fitted.widthTolerance)) points is more than devices round: they probably have another "
          + "font, letter spacing, text scale or width than the kit")
    }
    let different = cases.indices.count { !hasEqualLines($0, sizes.count - 1) || !hasEqualHeight($0, sizes.count - 1) }
    if Double(different) > Self.plausibleDifferences * Double(cases.count) {
      doubts.append(
        "\(different) of \(cases.count) texts have another number of lines or another height than on the device"
          + (sizes.count > 1 ? " even with the calibration below" : "")
          + ": measure with the fonts, widths and text scale of the kit")
    }
    return doubts
  }

  /// The factor by which most heights are larger than those of the layout if it is probably that of another unit, or nil.
  private var factorOfUnits: Double? {
    let factors = cases.indices.filter { hasEqualLines($0, 0) && sizes[0][$0].height > 0 }.map {
      cases[$0].measured.height / sizes[0][$0].height
    }.sorted()
    guard !factors.isEmpty, case let factor = factors[factors.count / 2], factor >= Self.leastUnit else { return nil }
    let pixel = 1.0
    let scaled = cases.indices.count { (cases[$0].measured.height - sizes[0][$0].height * factor).magnitude < pixel }
    return 2 * scaled > cases.count ? factor : nil
  }

  private func hasEqualLines(_ text: Int, _ layout: Int) -> Bool {
    sizes[layout][text].lines == cases[text].measured.lines
  }

  private func hasEqualHeight(_ text: Int, _ layout: Int) -> Bool {
    MeasuredHeight(points: cases[text].measured.height, grid: grid).isEqual(to: sizes[layout][text].height)
  }

  /// - Parameter texts: The indices of the texts that the row is about.
  private func row(_ name: String, _ texts: [Int]) -> [String] {
    let equal = sizes.indices.flatMap { layout in
      [texts.count { hasEqualLines($0, layout) }, texts.count { hasEqualHeight($0, layout) }]
    }
    return [name, "\(texts.count)"] + equal.map { Self.percent($0, of: texts.count) }
  }

  /// Returns a share in tenths of a percent, which is 100 only for all.
  static func percent(_ part: Int, of whole: Int) -> String {
    let tenths = part == whole ? 1000 : min(999, (part * 1000 + whole / 2) / whole)
    return "\(tenths / 10).\(tenths % 10) %"
  }
}
