import Buffers
import LayoutEngine

/// The values that bindings and conditions read beside the fields of the row: the constrained size, the results of formulas, and
/// the lines of texts. They are written as a document, so that they are read as the fields are.
struct LayoutValues: ~Copyable {
  /// A tape with the four numbers of the constrained size, the last number that was calculated, and the last result of a text.
  private let tape: UnsafeMutablePointer<UInt64>
  private static let calculatedIndex = 8
  private static let textIndex = 10
  /// The lines of the texts of the row that conditions ask for, as the last layout had them.
  var texts: [ElementInstance: TextLines] = [:]
  /// The first condition that asks for a text whose lines changed in the last layout.
  var changedQuery: Int?
  /// The numbers of the current items of the open `forEach`es.
  private let itemNumbers: UnsafePointer<Int32>

  init(itemNumbers: UnsafePointer<Int32>) {
    self.itemNumbers = itemNumbers
    tape = .allocate(capacity: Self.textIndex + 2)
  }

  deinit { tape.deallocate() }

  /// Makes a range the value of `constrainedSize`.
  func set(_ range: SizeRange) {
    write(range.min.width, at: 0)
    write(range.min.height, at: 2)
    write(range.max.width, at: 4)
    write(range.max.height, at: 6)
  }

  /// Returns one of the four numbers of `constrainedSize`.
  @inline(__always)
  func constraint(_ number: Int32, _ strings: UnsafePointer<UInt8>) -> JSONValue {
    value(at: Int(number) * 2, strings)
  }

  /// Returns a number as a value, which is valid until the next one is calculated.
  func number(_ number: Double, _ strings: UnsafePointer<UInt8>) -> JSONValue {
    write(number, at: Self.calculatedIndex)
    return value(at: Self.calculatedIndex, strings)
  }

  /// Writes a number to the tape. A whole number from -2⁶³ to less than 2⁶⁴ is an integer, so that a text has no decimals.
  private func write(_ number: Double, at index: Int) {
    if let integer = Int64(exactly: number) {
      write("l", UInt64(bitPattern: integer), at: index)
    } else if let integer = UInt64(exactly: number) {
      write("u", integer, at: index)
    } else {
      write("d", number.bitPattern, at: index)
    }
  }

  /// Returns what a query asks of a text, which is valid until the next query. A text without a result is not truncated and
  /// has no lines: so is each one before the row is laid out, and one that the row does not have.
  func result(of query: TextQuery, _ strings: UnsafePointer<UInt8>) -> JSONValue {
    let items = (0..<Int(query.depth)).map { itemNumbers[$0] }
    let lines = texts[ElementInstance(template: query.target, items: items)]
    switch query.kind {
    case .truncated: write(lines?.isTruncated == true ? "t" : "f", 0, at: Self.textIndex)
    case .lineCount: write("l", UInt64(lines?.count ?? 0), at: Self.textIndex)
    }
    return value(at: Self.textIndex, strings)
  }

  private func write(_ type: Unicode.Scalar, _ value: UInt64, at index: Int) {
    tape[index] = UInt64(UInt8(ascii: type)) << 56
    tape[index + 1] = value
  }

  @inline(__always)
  private func value(at index: Int, _ strings: UnsafePointer<UInt8>) -> JSONValue {
    JSONValue(tape: UnsafePointer(tape), strings: strings, index: index)
  }
}

/// An element of a row, which stays the same when the row is bound again.
struct ElementInstance: Hashable {
  let template: Int32
  /// The item numbers of the `forEach`es around the element.
  let items: [Int32]
}

/// The lines that a text has in a layout.
public struct TextLines: Equatable {
  /// The number of lines that are shown.
  public let count: Int
  public let isTruncated: Bool

  public init(count: Int, isTruncated: Bool) {
    self.count = count
    self.isTruncated = isTruncated
  }
}
