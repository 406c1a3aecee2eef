import Buffers

/// A column of numbers, some of which are null, that is filled for one batch.
struct NullableColumn<Number: BitwiseCopyable & Numeric>: ~Copyable {
  private var numbers = FlatBuffer<Number>(capacity: 1024)
  private var validity = BitColumn()
  private var nullCount = 0

  mutating func append(_ number: Number?) {
    numbers.append(number ?? .zero)
    validity.append(number != nil)
    if number == nil { nullCount += 1 }
  }

  mutating func removeAll() {
    numbers.removeAll()
    validity.removeAll()
    nullCount = 0
  }

  var column: ArrowColumn {
    ArrowColumn(numbers.bytes, validity: validity.bytes.bytes, nullCount: nullCount)
  }
}
