/// An Arrow type that Galley's tables use.
package enum ArrowType: Equatable, Sendable {
  case uint64, uint32, uint16, int64, int32, float32, float64, utf8, bool
  /// Strings that are referred to by number. The numbers are signed integers of `indexBits` bits.
  case dictionary(id: Int64, indexBits: Int32)
  /// A list of values, which have the type of the field.
  indirect case list(ArrowField)
  case structure([ArrowField])
}

/// A column of a table: its name and type.
package struct ArrowField: Equatable, Sendable {
  package let name: String
  package let type: ArrowType
  package var isNullable: Bool

  package init(name: String, type: ArrowType, isNullable: Bool = false) {
    self.name = name
    self.type = type
    self.isNullable = isNullable
  }
}

/// The schema of a table: its columns, and named values that describe the whole table.
package struct ArrowSchema: Equatable, Sendable {
  package var fields: [ArrowField]
  /// Pairs of a key and a value, in the order in which they are written.
  package var metadata: [ArrowMetadataEntry]

  package init(_ fields: [ArrowField], metadata: [ArrowMetadataEntry] = []) {
    self.fields = fields
    self.metadata = metadata
  }
}

/// A named value of a schema.
package struct ArrowMetadataEntry: Equatable, Sendable {
  package let key: String
  package let value: String

  package init(_ key: String, _ value: String) {
    self.key = key
    self.value = value
  }
}
