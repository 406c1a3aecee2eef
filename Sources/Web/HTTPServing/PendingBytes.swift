import NIOConcurrencyHelpers
import Synchronization

/// The bytes of a response that were written and not yet sent. A thread that writes waits while these are more than the limit:
///
/// | the body of the request | limit | `pendingBytes` / 16 while the bytes of all responses are above |
/// | --- | --- | --- |
/// | was received | `pendingBytes` | `pendingBytesOfAll` |
/// | still comes | `pendingBytesDuringBody` | `pendingBytesOfAllDuringBodies` |
final class PendingBytes: Sendable {
  /// The pending bytes of all responses.
  static let ofAll = Atomic<Int>(0)
  /// The time after which a thread that waits compares again with the bytes of all responses, whose changes do not wake it.
  private static let pollSeconds = 0.5

  /// Whether the bytes are more than the limit. Its lock is held while the bytes change.
  private let isFull = ConditionLock(value: false)
  private let count = Atomic<Int>(0)
  private let closed = Atomic<Bool>(false)
  /// Whether the body of the request still comes, so that the client may not read yet.
  private let isReceiving = Atomic<Bool>(false)

  /// Whether the connection has ended, after which no bytes are pending.
  var isClosed: Bool { closed.load(ordering: .acquiring) }

  /// Adds bytes that were written, or subtracts those that were passed to the operating system.
  func add(_ bytes: Int) {
    isFull.lock()
    guard !isClosed else { return isFull.unlock(withValue: false) }
    let sum = count.add(bytes, ordering: .relaxed).newValue
    let isReceiving = isReceiving.load(ordering: .relaxed)
    let limit = isReceiving ? ServerLimits.pendingBytesDuringBody : ServerLimits.pendingBytes
    let limitOfAll = isReceiving ? ServerLimits.pendingBytesOfAllDuringBodies : ServerLimits.pendingBytesOfAll
    let isScarce = Self.ofAll.add(bytes, ordering: .relaxed).newValue > limitOfAll
    isFull.unlock(withValue: sum > (isScarce ? ServerLimits.pendingBytes / 16 : limit))
  }

  /// Waits until the bytes are at most the limit, or the connection has ended.
  func wait() {
    while !isFull.lock(whenValue: false, timeoutSeconds: Self.pollSeconds) { add(0) }
    isFull.unlock()
  }

  /// Sets whether the body of the request still comes.
  func setReceiving(_ isReceiving: Bool) { self.isReceiving.store(isReceiving, ordering: .relaxed) }

  /// Notes that the connection has ended, after which no bytes are pending.
  func close() {
    isFull.lock()
    closed.store(true, ordering: .releasing)
    Self.ofAll.subtract(count.exchange(0, ordering: .relaxed), ordering: .relaxed)
    isFull.unlock(withValue: false)
  }
}
