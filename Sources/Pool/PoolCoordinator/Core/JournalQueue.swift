/// The operations on the journal of a batch that wait, of which the first may be under way. If it fails for a cause that can
/// pass, such as a full disk, the queue pauses and the operation is tried again later.
struct JournalQueue<Operation> {
  /// Nanoseconds before the first further try, doubled for each one after it, and the most.
  private static var firstBackOff: UInt64 { 100_000_000 }
  private static var longestBackOff: UInt64 { 2_000_000_000 }

  struct Pause {
    let reason: String
    /// The time of the next try, and the nanoseconds that lie before it.
    let retryAt: UInt64
    let backOff: UInt64
  }

  private var operations: ArraySlice<Operation> = []
  private var isUnderWay = false
  private(set) var pause: Pause?

  var count: Int { operations.count }
  /// Whether there is an operation if one is under way or waits for another try.
  var isConsistent: Bool { !operations.isEmpty || (!isUnderWay && pause == nil) }

  func contains(where isWanted: (Operation) -> Bool) -> Bool { operations.contains(where: isWanted) }

  mutating func add(_ operation: Operation) { operations.append(operation) }

  /// The operation that is to begin now; nil while one is under way, and before the next try.
  func next(at now: UInt64) -> Operation? {
    guard !isUnderWay, now >= pause?.retryAt ?? 0 else { return nil }
    return operations.first
  }

  mutating func noteBegin() { isUnderWay = true }

  /// Returns the operation that was under way, which is done.
  mutating func finish() -> Operation? {
    guard isUnderWay else { return nil }
    isUnderWay = false
    return operations.popFirst()
  }

  /// The first operation cannot be done now.
  mutating func wait(_ reason: String, at now: UInt64) {
    isUnderWay = false
    let backOff = pause.map { min($0.backOff * 2, Self.longestBackOff) } ?? Self.firstBackOff
    pause = Pause(reason: reason, retryAt: now + backOff, backOff: backOff)
  }

  /// Ends a pause. Returns whether there was one.
  mutating func resume() -> Bool {
    defer { pause = nil }
    return pause != nil
  }
}
