/// A source of the values that are written in templates. It returns nil for an optional binding to an absent field, for
/// which the property keeps its default value.
protocol ValueSource {
  /// Whether a member of an object that is null counts as absent. This is so in rows, because rows of typed tables have all
  /// members of their columns. In cells files it is a mistake, which is found when they are compiled.
  static var ignoresNullMembers: Bool { get }

  func resolve(_ written: JSONValue) throws(CellError) -> JSONValue?
}

/// The source at compile time, which returns each value as it is written.
struct WrittenValues: ValueSource {
  static var ignoresNullMembers: Bool { false }

  func resolve(_ written: JSONValue) -> JSONValue? { written }

  static var reader: ValueReader<WrittenValues> { ValueReader(source: WrittenValues()) }
}
