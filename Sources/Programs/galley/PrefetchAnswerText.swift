import Buffers
import ListTables

/// Answers in JSON, one a line.
struct PrefetchAnswerText: ~Copyable {
  private let hasResources: Bool
  private var bytes = FlatBuffer<UInt8>(capacity: 80 << 10)

  init(hasResources: Bool) { self.hasResources = hasResources }

  /// The number of bytes.
  var count: Int { bytes.count }

  var text: String { String(decoding: UnsafeBufferPointer(start: bytes.base, count: bytes.count), as: UTF8.self) }

  mutating func removeAll() { bytes.removeAll() }

  /// Appends the answer of a query.
  ///
  /// - Throws: `TableError` if the tables are damaged at a row of the query. Nothing is appended then.
  mutating func append(_ query: PrefetchQuery, _ planner: PrefetchPlanner) throws(TableError) {
    let answer = planner.answer(query)
    let resources = hasResources ? try planner.resources(of: answer, for: query) : []
    append(#"{"visible":"#)
    append(answer.visible, isArranged: planner.placement.isArranged)
    append(#","display":"#)
    append(answer.display, isArranged: planner.placement.isArranged)
    append(#","preload":"#)
    append(answer.preload, isArranged: planner.placement.isArranged)
    if hasResources {
      append(#","resources":["#)
      for (index, resource) in resources.enumerated() {
        if index > 0 { append(",") }
        append(resource)
      }
      append("]")
    }
    append(answer.fetchesNextBatch ? #","fetch_next_batch":true"# : #","fetch_next_batch":false"#)
    append(#","remaining":"#)
    append(answer.remaining)
    append("}\n")
  }

  /// Appends the answer of a bad query.
  mutating func append(error: String) {
    append(#"{"error":"#)
    append(string: error)
    append("}\n")
  }

  // MARK: Values

  private mutating func append(_ resource: PrefetchResource) {
    append(#"{"row":"#)
    append(resource.row)
    append(#","node":"#)
    append(string: resource.node)
    append(#","url":"#)
    append(string: resource.url)
    append(#","type":"#)
    append(string: resource.type)
    append(#","pixel_width":"#)
    append(resource.pixelWidth)
    append(#","pixel_height":"#)
    append(resource.pixelHeight)
    append(#","range":"#)
    append(string: resource.range.rawValue)
    append("}")
  }

  /// Appends one range, or the list of ranges of an arrangement, which is empty if there are no rows.
  private mutating func append(_ rows: RowRanges, isArranged: Bool) {
    guard isArranged else { return append(rows.first) }
    append("[")
    for (index, range) in rows.ranges.enumerated() {
      if index > 0 { append(",") }
      append(range)
    }
    append("]")
  }

  private mutating func append(_ range: Range<Int>) {
    append("[")
    append(range.lowerBound)
    append(",")
    append(range.upperBound)
    append("]")
  }

  /// Appends the shortest text of a number, without a fraction if it is whole.
  private mutating func append(_ number: Double) {
    if let whole = Int(exactly: number) { return append(whole) }
    var text = number.description
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  /// Appends a number in decimal digits.
  private mutating func append(_ number: Int) {
    if number < 0 { append("-") }
    var left = number.magnitude
    var power: UInt = 1
    while left / power >= 10 { power *= 10 }
    while power > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(left / power))
      left %= power
      power /= 10
    }
  }

  private mutating func append(string: String) {
    append("\"")
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""): append(#"\""#)
      case UInt8(ascii: "\\"): append(#"\\"#)
      case 0..<0x20:
        append(byte < 0x10 ? #"\u000"# : #"\u001"#)
        bytes.append(Self.digits.utf8Start[Int(byte & 15)])
      default: bytes.append(byte)
      }
    }
    append("\"")
  }

  private static let digits: StaticString = "0123456789abcdef"

  @inline(__always)
  private mutating func append(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
