import NIOCore
import NIOHTTP1

/// Something that happened on a connection. The events of an exchange state its number, so that those that come after its
/// end are recognized.
enum ConnectionEvent {
  case opened
  /// A part of a request was received.
  case received(HTTPServerRequestPart)
  /// Bytes were received that are not a request; what follows them is not understood.
  case malformed(Problem)
  /// The client sends nothing more. It may still read.
  case inputEnded
  /// It was decided what is done with the request of an exchange. A response with events has no end.
  case routed(Int, ConnectionCore.Request, hasEvents: Bool, keepsConnection: Bool)
  /// A body cannot be received, and a response that says so is on its way.
  case bodyRefused(Int)
  case pipeFilled(Int)
  case pipeDrained(Int)
  /// The next parts of a response were made.
  case responded(Int, [HTTPServerResponsePart])
  /// A response cannot be completed.
  case aborted(Int)
  /// One of the writes was passed to the operating system.
  case sent
  case writable(Bool)
  /// The channel asks for permission to read.
  case readWanted
  /// The deadline may have passed.
  case tick
  /// The server stops.
  case stopping
  /// The server ends the connection.
  case ended
  case closed
}

/// What is to be done on a connection. The bodies are those of the exchange that was begun last.
enum ConnectionEffect {
  /// Begin an exchange, and decide what is done with its request.
  case route(Int, HTTPRequestHead)
  /// Begin an exchange for bytes that are not a request, and respond with a problem.
  case reject(Int, Problem)
  /// Respond with a problem; if the response has begun, abort it.
  case refuse(Problem)
  case collect(ByteBuffer)
  case pass(ByteBuffer)
  case completeBody
  /// Give back what is reserved for a body that is not received any further.
  case dropBody
  case write([HTTPServerResponsePart])
  case read
  /// Send no more, and let the client read to the end.
  case endOutput
  case close
  /// Reset the connection, by which the client knows that a response is not whole.
  case abort
}
