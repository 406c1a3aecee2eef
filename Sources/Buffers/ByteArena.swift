/// Strings put together while a row is bound, at addresses that stay until the arena is emptied.
public struct ByteArena: ~Copyable {
  private var chunk: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var count = 0
  /// Where the string being written starts.
  private var start = 0
  private var full: [UnsafeMutablePointer<UInt8>] = []

  public init(capacity: Int = 4096) {
    chunk = .allocate(capacity: capacity)
    self.capacity = capacity
  }

  deinit {
    for chunk in full { chunk.deallocate() }
    chunk.deallocate()
  }

  public mutating func removeAll() {
    for chunk in full { chunk.deallocate() }
    if !full.isEmpty { full.removeAll(keepingCapacity: true) }
    count = 0
    start = 0
  }

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

  /// Ends the string that was being written.
  public mutating func finish() -> ByteString {
    defer { start = count }
    return ByteString(start: chunk + start, count: count - start)
  }

  /// The string being written moves to a larger chunk; finished ones stay where they are.
  private mutating func moveOn(for additional: Int) {
    let unfinished = count - start
    let larger = max(capacity * 2, unfinished + additional)
    let next = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    next.update(from: chunk + start, count: unfinished)
    full.append(chunk)
    chunk = next
    capacity = larger
    start = 0
    count = unfinished
  }
}
