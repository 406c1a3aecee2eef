import HTTPServing

/// Reads the numbers of a request's query.
struct QueryReader: Sendable {
  private let items: [HTTPRequest.QueryItem]

  init(_ items: [HTTPRequest.QueryItem]) { self.items = items }

  /// Returns the last value of a name, or nil without one.
  func value(_ name: String) -> String? { items.last { $0.name == name }?.value }

  /// Returns a whole number.
  ///
  /// - Throws: `Problem` for what is no number, and for one outside of the range.
  func integer(_ name: String, _ range: ClosedRange<Int>, default number: Int? = nil) throws(Problem) -> Int {
    guard let text = value(name) else {
      if let number { return number }
      throw Self.missing(name)
    }
    guard let number = Int(text), range.contains(number) else {
      throw Problem(
        400, "Bad number", "\(name) is \(text); write a whole number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  /// Returns a number of points.
  func points(
    _ name: String, atLeast minimum: Double = -0x1p53, default number: Double? = nil
  ) throws(Problem) -> Double {
    guard let text = value(name) else {
      if let number { return number }
      throw Self.missing(name)
    }
    // Beyond this limit, not every whole number has a floating-point number.
    guard let number = Double(text), number >= minimum, number <= 0x1p53 else {
      throw Problem(400, "Bad number", "\(name) is \(text); write a number of points, such as 844.")
    }
    return number
  }

  private static func missing(_ name: String) -> Problem {
    Problem(400, "Incomplete query", "\(name) is missing in the query.")
  }
}
