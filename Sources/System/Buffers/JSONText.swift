/// A JSON text that is written value by value into memory that is used again.
///
/// The caller writes the brackets, keys and commas as literals; the functions for values write what has to be converted.
package struct JSONText: ~Copyable {
  private var buffer: FlatBuffer<UInt8>

  /// - Parameter capacity: The number of bytes for which there is room at first.
  package init(capacity: Int = 4096) { buffer = FlatBuffer(capacity: capacity) }

  /// The number of bytes.
  package var count: Int { buffer.count }

  /// The bytes, which are valid until the text is changed.
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: buffer.base, count: buffer.count) }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  package mutating func removeAll() { buffer.removeAll() }

  /// Appends a part of the text as it is.
  @inline(__always)
  package mutating func append(_ text: StaticString) { buffer.append(text) }

  /// Appends a comma unless the value is the first one.
  @inline(__always)
  package mutating func separate(_ index: Int) { if index > 0 { append(",") } }

  /// Appends a key, with the literals before and after it, and its value.
  package mutating func append(_ key: StaticString, _ value: some JSONWritable) {
    append(key)
    value.append(to: &self)
  }

  /// Appends a key, with the literals before and after it, and a string of UTF-8.
  package mutating func append(_ key: StaticString, string bytes: UnsafeRawBufferPointer) {
    append(key)
    append(string: bytes)
  }

  package mutating func append(_ value: Bool) { if value { append("true") } else { append("false") } }

  /// Appends a number in decimal digits.
  package mutating func append(_ number: Int) { buffer.append(decimal: number) }

  /// Appends the short text of a number. JSON has no text for a number that is not finite, for which `null` stands.
  package mutating func append(_ number: Double) {
    if number.isFinite { buffer.append(number: number) } else { append("null") }
  }

  package mutating func append(_ number: Float) {
    if number.isFinite { buffer.append(number: number) } else { append("null") }
  }

  /// Appends a key and its number, or `null`. The string `"inf"` stands for an infinite number.
  package mutating func append(_ key: StaticString, orInfinite number: Float?) {
    if number == .infinity { append(key, "inf") } else { append(key, number) }
  }

  /// Appends JSON that is written already.
  package mutating func append(literal json: UnsafeRawBufferPointer) {
    buffer.append(contentsOf: json.bindMemory(to: UInt8.self))
  }

  /// Appends a string in quotation marks.
  package mutating func append(string: String) { buffer.append(json: string) }

  /// Appends a string of UTF-8 in quotation marks. The bytes are those of a table, which are not checked to be UTF-8:
  /// readers of JSON replace what is not.
  package mutating func append(string bytes: UnsafeRawBufferPointer) { buffer.append(json: bytes) }
}

/// A value that can be written to a JSON text.
package protocol JSONWritable {
  /// Appends the value to a text.
  func append(to json: inout JSONText)
}

extension Bool: JSONWritable {
  package func append(to json: inout JSONText) { json.append(self) }
}

extension Int: JSONWritable {
  package func append(to json: inout JSONText) { json.append(self) }
}

extension Double: JSONWritable {
  package func append(to json: inout JSONText) { json.append(self) }
}

extension Float: JSONWritable {
  package func append(to json: inout JSONText) { json.append(self) }
}

extension String: JSONWritable {
  package func append(to json: inout JSONText) { json.append(string: self) }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
  /// Appends the value, or `null`.
  package func append(to json: inout JSONText) {
    if let self { self.append(to: &json) } else { json.append("null") }
  }
}

extension Array: JSONWritable where Element: JSONWritable {
  package func append(to json: inout JSONText) {
    json.append("[")
    for (index, element) in enumerated() {
      json.separate(index)
      element.append(to: &json)
    }
    json.append("]")
  }
}

extension Range: JSONWritable where Bound == Int {
  /// Appends the list of both bounds.
  package func append(to json: inout JSONText) {
    json.append("[", lowerBound)
    json.append(",", upperBound)
    json.append("]")
  }
}
