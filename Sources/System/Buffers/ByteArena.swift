/// An arena of strings that are composed while a row is bound. Their addresses are stable until the arena is emptied.
public struct ByteArena: ~Copyable {
  private var chunk: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var count = 0
  /// The offset in the chunk at which the current string starts.
  private var start = 0
  /// The chunks that are full.
  private var full: [UnsafeMutablePointer<UInt8>] = []
  /// The number of bytes of the finished strings in them.
  private var fullCount = 0

  public init(capacity: Int = 4096) {
    chunk = .allocate(capacity: capacity)
    self.capacity = capacity
  }

  deinit {
    for chunk in full { chunk.deallocate() }
    chunk.deallocate()
  }

  /// The number of bytes of all strings.
  @inline(__always)
  public var size: Int { fullCount + count }

  /// Removes all strings, whose addresses become invalid.
  public mutating func removeAll() {
    for chunk in full { chunk.deallocate() }
    if !full.isEmpty { full.removeAll(keepingCapacity: true) }
    count = 0
    start = 0
    fullCount = 0
  }

  /// Appends bytes to the current string.
  public mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress else { return }
    if count + bytes.count > capacity { moveOn(for: bytes.count) }
    (chunk + count).update(from: source, count: bytes.count)
    count += bytes.count
  }

  public mutating func append(_ string: StaticString) { append(ByteString(string).bytes) }

  public mutating func append(_ string: String) {
    var string = string
    string.withUTF8 { append($0) }
  }

  /// Appends an integer in decimal digits.
  public mutating func append(_ number: Int64) {
    if number < 0 { append("-") }
    append(number.magnitude)
  }

  /// Appends an integer in decimal digits.
  public mutating func append(_ number: UInt64) {
    var left = number
    var digits = 1
    var power: UInt64 = 10
    while digits < Self.mostDigits && left >= power {
      digits += 1
      power = power &* 10
    }
    if count + digits > capacity { moveOn(for: digits) }
    for place in (count..<count + digits).reversed() {
      chunk[place] = UInt8(ascii: "0") + UInt8(left % 10)
      left /= 10
    }
    count += digits
  }

  /// The number of digits of the largest 64-bit integer.
  private static let mostDigits = 20

  /// Ends the current string and returns it.
  public mutating func finish() -> ByteString {
    defer { start = count }
    return ByteString(start: chunk + start, count: count - start)
  }

  /// Moves the current string to a larger chunk. Finished strings keep their addresses.
  private mutating func moveOn(for additional: Int) {
    let unfinished = count - start
    let larger = max(capacity * 2, unfinished + additional)
    let next = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    next.update(from: chunk + start, count: unfinished)
    full.append(chunk)
    fullCount += start
    chunk = next
    capacity = larger
    start = 0
    count = unfinished
  }
}
