extension ConnectionCore {
  /// What the connection waits for, if that is bounded in time.
  enum Wait: Equatable {
    /// The head of a request, after a number of exchanges.
    case head(after: Int)
    /// The whole body of an exchange.
    case body(Int)
    /// Further bytes of the body of an exchange.
    case bytes(Int)
    /// The rest of what the client sends, which is dropped.
    case rest(Int)
    /// The client has to take some of what was written.
    case write
  }

  var mayRead: Bool {
    guard !hasInputEnded else { return false }
    switch state {
    case .idle: return unsentWrites == 0
    case .closing, .draining: return true
    case .closed: return false
    case .open(let exchange):
      switch exchange.request {
      case .collecting, .dropping, .streaming(_, isFull: false): return true
      case .routing, .complete, .streaming(_, isFull: true): return false
      }
    }
  }

  var wait: Wait? {
    switch state {
    case .idle: return unsentWrites > 0 ? .write : .head(after: exchanges)
    case .closing: return .write
    case .draining: return .rest(exchanges)
    case .closed: return nil
    case .open(let exchange):
      switch exchange.request {
      case .collecting: return .body(exchange.number)
      case .dropping: return unsentWrites > 0 ? .write : .rest(exchange.number)
      case .streaming(_, let isFull):
        if !isWritable { return .write }
        // The pool may be busy for any time, but not wait for the client.
        return isFull ? nil : .bytes(exchange.number)
      case .routing, .complete: return isWritable ? nil : .write
      }
    }
  }

  /// Whether a part of a response was written, and not all of the response was sent. Events have no end.
  private var isResponding: Bool {
    if case .open(let exchange) = state, exchange.response == .begun, !exchange.hasEvents { return true }
    return unsentWrites > 0
  }

  /// The time in nanoseconds at which the connection needs a tick; nil if it may wait for any time.
  var deadline: UInt64? {
    guard let responseDeadline, isResponding else { return armed?.deadline }
    return min(armed?.deadline ?? .max, responseDeadline)
  }

  mutating func arm(isProgress: Bool, at now: UInt64) {
    let wait = wait
    guard isProgress || wait != armed?.wait else { return }
    armed = wait.map { ($0, now + UInt64(milliseconds(of: $0)) * 1_000_000) }
  }

  private func milliseconds(of wait: Wait) -> Int64 {
    switch wait {
    case .head(after: 0), .body: limits.headMilliseconds
    case .head, .bytes: limits.idleMilliseconds
    case .rest: limits.droppedMilliseconds
    case .write: limits.writeMilliseconds
    }
  }

  /// Ends what is late. Before the head of the response, a late body is refused with the status 408, and the work can still respond
  /// that it is late; after the head, the connection is reset.
  mutating func expire(at now: UInt64) {
    if let responseDeadline, responseDeadline <= now, isResponding { return give() }
    switch armed?.wait {
    case .body, .bytes: refuse(.lateBody)
    case .head, .rest, .write: give()
    case nil: break
    }
  }
}
