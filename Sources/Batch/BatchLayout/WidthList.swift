import Buffers
import LayoutEngine

/// The widths of a list, such as `320,390-430/5`. A range has a width at every point, or at every multiple of its step.
public struct WidthList: CustomStringConvertible {
  /// The part of errors that states the format.
  private static let form =
    "write numbers and ranges, such as 390 or 320,390-430 (every point) or 320-430/10 (every tenth point)"

  public let numbers: [Double]
  public let description: String

  /// - Throws: `VariantError` that states the format.
  public init(_ text: String) throws(VariantError) {
    var numbers: [Double] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let widths = try Self.widths(String(part.filter { $0 != " " }))
      numbers += widths.filter { !numbers.contains($0) }
      guard numbers.count <= Variant.limit else {
        throw VariantError(
          "more than \(Variant.limit) widths; a batch has at most \(Variant.limit) variants")
      }
    }
    self.numbers = numbers
    description = text
  }

  public init(_ number: Double) {
    numbers = [number]
    description = shortText(number)
  }

  private static func widths(_ part: String) throws(VariantError) -> [Double] {
    // Double also accepts hexadecimal numbers such as 0x10.
    if !part.lowercased().contains("x"), let number = Double(part) { return [number] }
    guard let range = part.wholeMatch(of: #/([0-9.]+)-([0-9.]+)(?:/([0-9.]+))?/#),
      let first = Double(range.1), let last = Double(range.2)
    else { throw VariantError("\"\(part)\" is neither a width nor a range of widths; \(form)") }
    guard first <= last else { throw VariantError("\(part) runs from the larger width to the smaller; \(form)") }
    let step = range.3.map { Double($0) ?? 0 } ?? 1
    guard step > 0 else {
      throw VariantError("the step of \(part) is not above 0; \(form)")
    }
    // Sums of decimal steps have rounding errors, which a small tolerance absorbs.
    let steps = ((last - first) / step + 1e-9).rounded(.down)
    guard steps < Double(Variant.limit) else {
      throw VariantError(
        "\(part) has more than \(Variant.limit) widths, the greatest number of variants of a batch; "
          + "use a larger step, as in \(range.1)-\(range.2)/10")
    }
    return (0...Int(steps)).map { ((first + Double($0) * step) * 1e6).rounded() / 1e6 }
  }
}
