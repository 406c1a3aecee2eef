/// The widths that were compared with the space of a line while lines were filled.
///
/// As long as the space holds the widest one that fitted, and not the narrowest one that did not fit, every comparison has
/// the same result, and the lines end at the same places.
struct WidthDecisions: BitwiseCopyable {
  /// The widest width that fitted.
  var fitting = -Double.infinity
  /// The narrowest width that did not fit.
  var exceeding = Double.infinity

  /// Notes the result of a comparison.
  @inline(__always)
  mutating func note(_ width: Double, fits: Bool) {
    if fits { fitting = max(fitting, width) } else { exceeding = min(exceeding, width) }
  }

  /// Notes a comparison whose result changes with any change of the space.
  mutating func noteUncertain(at space: Double) { (fitting, exceeding) = (max(fitting, space), min(exceeding, space)) }
}
