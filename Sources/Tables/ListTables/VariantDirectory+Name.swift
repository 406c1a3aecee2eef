import Foundation

/// The name of a variant's directory in its parts: `w390-t1.35@3x` is the width 390 and the rest `-t1.35@3x`.
struct VariantName: Equatable {
  let width: Double
  /// The text scale and the scale, as far as the name states them.
  let scales: Substring

  /// Returns nil for a name that is not one of a variant.
  init?(_ name: String) {
    let number = name.dropFirst().prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let scales = name.dropFirst(1 + number.count)
    guard name.first == "w", let width = Double(number), scales.isEmpty || scales.first == "-" || scales.first == "@"
    else { return nil }
    self.width = width
    self.scales = scales
  }

  /// Returns the name of the variant with another width and the same scales.
  func with(width: Double) -> String { "w\(shortText(width))\(scales)" }
}

extension VariantDirectory {
  /// The name of the directory, such as `w390`.
  public var name: String { URL(fileURLWithPath: path).standardizedFileURL.lastPathComponent }

  /// Returns the width of the variant, which its name states. If the directory has another name, the width is that of
  /// the widest row.
  public func width(_ heights: Heights) -> Double {
    if let width = VariantName(name)?.width { return width }
    return Double((0..<heights.rowCount).reduce(0) { max($0, heights.width(of: $1)) })
  }
}

/// Returns a number as text, without a fraction if it has none.
package func shortText(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }
