import Buffers
import PoolProtocol

/// A request of a client for one batch.
public enum ClientRequest: Sendable {
  /// Has a batch laid out and takes its results. `resuming`: the name of a kept batch with the same description, whose stored
  /// results of the same rows are used.
  case run(BatchDescription, resuming: String? = nil)
  /// Has the coordinator accept a batch and keep it without the client.
  case submit(BatchDescription)
  /// Takes the results of a kept batch.
  case fetch(name: String)
  /// Ends a batch that a coordinator has.
  case cancel(name: String)
}

/// An event outside of a client's core.
public enum ClientEvent: Sendable {
  /// A request begins. `isShort`: whether all rows fit into one chunk. `session`: a random number other than zero.
  case begin(ClientRequest, isShort: Bool, session: UInt64)
  /// An event of the current request. It has no effect after the end of the request.
  case conversation(ConversationEvent)
  /// The tables of the last batch are complete, and the coordinator can remove the batch.
  case complete
  /// The request is cancelled, and the coordinator is to remove its batch.
  case cancel
}

/// An event of a request.
public enum ConversationEvent: Sendable {
  /// A message was received. Its parts are those behind the envelope.
  case message(MessageToClient, [OwnedBytes])
  /// Bytes were received that are not the message that the coordinator has sent.
  case malformedMessage
  /// The next rows were read; see `ClientCore.wantedBytes`.
  case rowsRead(RowsChunk<OwnedBytes>)
  /// The end of the rows was reached, and `RowsChunk.end` was reported before.
  case rowsEnded
  /// The program was read; see `ClientEffect.readProgram`.
  case programRead(OwnedBytes, ProgramRequest)
  /// Time has passed without a message.
  case tick
}

/// An effect that the loop of a client carries out.
public enum ClientEffect: Sendable {
  case send(ClientMessage, [OwnedBytes])
  /// The program is to be read, because the coordinator lacks it. The request is a part of `ClientEvent.programRead`.
  case readProgram(ProgramRequest)
  /// The results of a requested kept batch follow.
  case begin(BatchDescription)
  /// The next rows, with one part of columns per variant.
  case take(rows: Int, columns: [OwnedBytes])
  /// The coordinator has paused the batch for this reason. The reason is empty when the batch continues.
  case wait(reason: String)
  /// The request is done. `name`: the name of the batch, if it is kept. `input`: the input of its rows, if the results were
  /// taken.
  case end(name: String, input: InputSummary?)
  case fail(PoolError)
}

/// The reason why a batch was not completed.
public enum PoolError: Error, Equatable {
  /// The coordinator did not accept the batch, for this reason.
  case refused(String)
  /// The coordinator has reported this reason.
  case failed(String)
  /// The coordinator does not reply.
  case silent
  /// The connection was lost, or the coordinator was started again, and the coordinator does not keep the batch.
  case lostConnection
  /// Results differ from the checksums that their worker computed.
  case damaged
  /// The coordinator has sent results out of row order.
  case outOfOrder
  /// The memory range in the coordinator's message does not contain columns.
  case outOfSight
  /// The coordinator has fewer rows than it confirmed.
  case lostRows
  case interrupted
  /// The kept batch has other cells or variants.
  case otherRequest

  /// Whether the coordinator has lost the batch, so that the client can submit it again.
  public var isLossOfBatch: Bool { self == .lostConnection || self == .damaged }
}
