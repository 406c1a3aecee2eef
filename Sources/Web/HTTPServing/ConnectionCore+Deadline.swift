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

  mutating func arm(isProgress: Bool, at now: UInt64) {
    let wait = wait
    if isProgress || wait != armed {
      armed = wait
      waitDeadline = wait.map { now + UInt64(milliseconds(of: $0)) * 1_000_000 }
    }
    deadline = waitDeadline
    // Before a response has begun, it can still state that it comes too late.
    if let responseDeadline, isResponding { deadline = min(deadline ?? .max, responseDeadline) }
  }

  func milliseconds(of wait: Wait) -> Int64 {
    switch wait {
    case .head(after: 0), .body: limits.headMilliseconds
    case .head, .bytes: limits.idleMilliseconds
    case .rest: limits.droppedMilliseconds
    case .write: limits.writeMilliseconds
    }
  }

  mutating func expire(at now: UInt64) {
    if let responseDeadline, responseDeadline <= now, isResponding { return give() }
    switch armed {
    case .body, .bytes: refuse(.lateBody)
    case .head, .rest, .write: give()
    case nil: break
    }
  }
}
