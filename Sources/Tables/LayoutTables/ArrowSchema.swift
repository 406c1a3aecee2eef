/// An Arrow type that Galley's tables use.
enum ArrowType {
  case uint64, uint32, uint16, int32, float32, float64, utf8, bool
  /// Strings that are referred to by number. The numbers are signed integers of `indexBits` bits.
  case dictionary(id: Int64, indexBits: Int32)
}

struct ArrowField {
  let name: String
  let type: ArrowType
  var isNullable = false
}
