/// A value with a name in cells files, options, directories or tables.
public protocol NamedValue: CaseIterable {
  /// The name, which no other value has.
  var name: String { get }
}

extension NamedValue {
  /// The value with a name, or nil if there is none.
  public init?(name: some StringProtocol) {
    guard let value = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = value
  }
}
