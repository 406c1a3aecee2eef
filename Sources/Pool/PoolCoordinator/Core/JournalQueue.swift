/// The pending operations on the journal of a batch. The first operation may be in progress. If it fails for a temporary
/// reason, such as a full disk, the queue pauses and the operation is retried later.
struct JournalQueue<Operation> {
  private var operations: ArraySlice<Operation> = []
  private var isUnderWay = false
  private(set) var pause: Pause?

  var count: Int { operations.count }
  /// Whether an operation exists if one is in progress or waits for a retry.
  var isConsistent: Bool { !operations.isEmpty || (!isUnderWay && pause == nil) }

  func contains(where isWanted: (Operation) -> Bool) -> Bool { operations.contains(where: isWanted) }

  mutating func add(_ operation: Operation) { operations.append(operation) }

  /// The operation to begin now; nil while one is in progress, and before the next retry.
  func next(at now: UInt64) -> Operation? {
    guard !isUnderWay, now >= pause?.retryAt ?? 0 else { return nil }
    return operations.first
  }

  mutating func noteBegin() { isUnderWay = true }

  /// Removes the completed operation. Returns it and whether it ends a pause; nil if none is in progress.
  mutating func finish() -> (operation: Operation, endsPause: Bool)? {
    guard isUnderWay, let operation = operations.popFirst() else { return nil }
    isUnderWay = false
    defer { pause = nil }
    return (operation, pause != nil)
  }

  /// Records that the first operation has failed for a temporary reason.
  mutating func wait(_ reason: String, at now: UInt64) {
    isUnderWay = false
    pause = Pause(reason, after: pause, first: 100_000_000, longest: 2_000_000_000, at: now)
  }
}
