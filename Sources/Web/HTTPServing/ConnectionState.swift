extension ConnectionCore {
  enum State {
    case idle
    case open(Exchange)
    /// The last response was written, and not all of it was sent.
    case closing
    /// The output has ended, and the client has to end the connection.
    case draining
    case closed
  }

  struct Exchange {
    let number: Int
    /// Whether the connection is used after the response.
    var keepsConnection = false
    var request = Request.routing
    var response = Response.pending
    /// Whether the response has events, which have no end.
    var hasEvents = false

    /// Whether the next exchange can begin. The rest of a request is not awaited where the connection ends anyway.
    var isOver: Bool {
      guard case .ended = response else { return false }
      if case .complete = request { return true }
      return !keepsConnection
    }

    mutating func route(_ request: Request, hasEvents: Bool, keepsConnection: Bool) {
      guard case .routing = self.request else { return }
      (self.request, self.hasEvents, self.keepsConnection) = (request, hasEvents, keepsConnection)
    }

    mutating func setFull(_ isFull: Bool) {
      if case .streaming(let bytes, _) = request { request = .streaming(bytes: bytes, isFull: isFull) }
    }
  }

  enum Request {
    /// It is not yet decided what is done with the body.
    case routing
    /// It is received completely before the work on it begins.
    case collecting
    /// It is passed on while it is received. `isFull`: the reader of the body has to take some of it first.
    case streaming(bytes: Int, isFull: Bool)
    /// The response does not need the rest of the body.
    case dropping(bytes: Int)
    case complete
  }

  enum Response {
    case pending, begun, ended
  }
}
