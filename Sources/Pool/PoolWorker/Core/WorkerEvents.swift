import Buffers
import LogLevels
import PoolProtocol

/// An event outside of a worker's core.
public enum WorkerEvent {
  /// The worker begins. It is the first event.
  case started
  /// A message was received. Its parts are those behind the envelope.
  case message(MessageToWorker, [OwnedBytes])
  case malformedMessage
  /// The layout of the last `layOut` effect is complete, or its columns are too large for a message.
  ///
  /// - Parameters:
  ///   - sizes: The sizes of the columns of each variant in bytes.
  ///   - write: Writes the columns of a variant to an address.
  case laidOut(WorkerMessage.Result, sizes: [Int], write: (Int, UnsafeMutableRawPointer) -> Void)
  /// The program of the last `layOut` effect cannot be used.
  case programFailed(reason: String)
  /// Time has passed without a message.
  case tick
  /// The process has this many bytes of memory.
  case memoryMeasured(Int)
  /// A shutdown was requested.
  case stop
}

/// An effect that the loop of a worker carries out.
public enum WorkerEffect {
  case send(WorkerMessage, [OwnedBytes])
  /// Makes a program ready, whose bytes are in parts.
  case load(ProgramID, [OwnedBytes])
  /// Removes a program that is no longer used.
  case unload(ProgramID)
  /// Lays out a job, after all received messages were reported. The event `laidOut` or `programFailed` follows.
  case layOut(MessageToWorker.Job, lines: OwnedBytes)
  case log(LogLevel, String)
  case end(WorkerEnd)
}

/// How a worker ended.
public enum WorkerEnd: Equatable, Sendable {
  case drained
  case refused(String)
  case coordinatorGone
  /// The worker had exceeded its memory limit.
  case grown
}
