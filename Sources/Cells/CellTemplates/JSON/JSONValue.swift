import Buffers

/// A value of a parsed document, as an index on simdjson's tape (its doc/tape.md). It is valid until the parser parses
/// again.
public struct JSONValue: BitwiseCopyable {
  let tape: UnsafePointer<UInt64>
  let strings: UnsafePointer<UInt8>
  let index: Int

  public enum Kind { case object, array, string, integer, unsigned, double, boolean, null }

  @inline(__always)
  public var kind: Kind {
    switch UInt8(truncatingIfNeeded: tape[index] >> 56) {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "l"): .integer
    case UInt8(ascii: "u"): .unsigned
    case UInt8(ascii: "d"): .double
    case UInt8(ascii: "n"): .null
    default: .boolean
    }
  }

  @inline(__always)
  private var payload: Int { Int(truncatingIfNeeded: tape[index] & 0x00ff_ffff_ffff_ffff) }

  @inline(__always)
  var isNull: Bool { tape[index] >> 56 == UInt64(UInt8(ascii: "n")) }

  @inline(__always)
  public var isObject: Bool { tape[index] >> 56 == UInt64(UInt8(ascii: "{")) }

  /// Whether a value of a template may depend on the row: it is a string, which may have bindings, or an object, which
  /// may be a value by condition.
  @inline(__always)
  var mayDepend: Bool {
    let type = UInt8(truncatingIfNeeded: tape[index] >> 56)
    return type == UInt8(ascii: "\"") || type == UInt8(ascii: "{")
  }

  @inline(__always)
  public var string: ByteString? {
    kind == .string ? stringAtIndex : nil
  }

  @inline(__always)
  private var stringAtIndex: ByteString {
    let start = UnsafeRawPointer(strings + payload)
    return ByteString(
      start: (start + 4).assumingMemoryBound(to: UInt8.self), count: Int(start.loadUnaligned(as: UInt32.self)))
  }

  public var number: Double? {
    switch kind {
    case .integer: Double(Int64(bitPattern: tape[index + 1]))
    case .unsigned: Double(tape[index + 1])
    case .double: Double(bitPattern: tape[index + 1])
    default: nil
    }
  }

  public var integer: Int64? {
    switch kind {
    case .integer: Int64(bitPattern: tape[index + 1])
    case .unsigned: Int64(exactly: tape[index + 1])
    default: nil
    }
  }

  var unsigned: UInt64 { tape[index + 1] }

  public var boolean: Bool? {
    switch UInt8(truncatingIfNeeded: tape[index] >> 56) {
    case UInt8(ascii: "t"): true
    case UInt8(ascii: "f"): false
    default: nil
    }
  }

  /// The index on the tape after this value.
  @inline(__always)
  private var next: Int {
    switch UInt8(truncatingIfNeeded: tape[index] >> 56) {
    case UInt8(ascii: "{"), UInt8(ascii: "["): payload & 0xffff_ffff
    case UInt8(ascii: "l"), UInt8(ascii: "u"), UInt8(ascii: "d"): index + 2
    default: index + 1
    }
  }

  @inline(__always)
  private func at(_ index: Int) -> JSONValue { JSONValue(tape: tape, strings: strings, index: index) }

  /// Calls `body` for each key and value of an object, in order.
  @inline(__always)
  public func forEachMember<Failure: Error>(
    _ body: (ByteString, JSONValue) throws(Failure) -> Void
  ) throws(Failure) {
    guard isObject else { return }
    let end = (payload & 0xffff_ffff) - 1
    var key = index + 1
    while key < end {
      let value = at(key + 1)
      try body(at(key).stringAtIndex, value)
      key = value.next
    }
  }

  /// Calls `body` for each element of an array, in order.
  @inline(__always)
  public func forEachElement<Failure: Error>(_ body: (Int, JSONValue) throws(Failure) -> Void) throws(Failure) {
    guard kind == .array else { return }
    let end = (payload & 0xffff_ffff) - 1
    var tapeIndex = index + 1
    var position = 0
    while tapeIndex < end {
      let value = at(tapeIndex)
      try body(position, value)
      tapeIndex = value.next
      position += 1
    }
  }

  /// Returns the member with this key. Of several members with the same key it returns the last one, as most parsers
  /// do.
  public func member(_ key: ByteString) -> JSONValue? {
    var found: JSONValue?
    forEachMember { name, value in if name == key { found = value } }
    return found
  }

  public func member(_ key: StaticString) -> JSONValue? { member(ByteString(key)) }

  /// Returns the last member with this key as text.
  func member(named key: String) -> JSONValue? {
    var found: JSONValue?
    forEachMember { name, value in if name.string == key { found = value } }
    return found
  }

  public func element(_ wanted: Int) -> JSONValue? {
    guard kind == .array else { return nil }
    let end = (payload & 0xffff_ffff) - 1
    var tapeIndex = index + 1
    var position = 0
    while tapeIndex < end {
      let value = at(tapeIndex)
      if position == wanted { return value }
      tapeIndex = value.next
      position += 1
    }
    return nil
  }

  var isEmptyArray: Bool { kind == .array && (payload & 0xffff_ffff) - 1 == index + 1 }

  public var elementCount: Int {
    var count = 0
    forEachElement { _, _ in count += 1 }
    return count
  }

  /// The kind of the value in words, for errors: `a number`, `an object`.
  var kindName: String {
    switch kind {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .integer, .unsigned, .double: "a number"
    case .boolean: "true or false"
    case .null: "null"
    }
  }
}
