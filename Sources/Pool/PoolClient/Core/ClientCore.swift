import Buffers
import PoolMemory
import PoolProtocol

/// A client without its socket, clock and files: it receives events with their time and returns effects.
///
/// A coordinator lays out one batch at a time for it. The client sends rows while its window has room, and takes results in row
/// order. If the coordinator keeps the batch, the client continues after a restart of the coordinator.
public struct ClientCore: ~Copyable {
  /// The number of workers' memories that stay open.
  static let openMemories = 64

  let memory: any MemorySystem
  let origin: PeerOrigin
  /// The batch that has not ended, if there is one.
  private(set) var conversation: Conversation?
  /// The number of the last batch. Messages of the coordinator with another number are ignored.
  public private(set) var number: UInt64 = 0
  /// The time for which the process has run. Conversations measure their times with it.
  private var running = RunningTime()

  /// - Parameter origin: The machine and the process of this client.
  public init(memory: any MemorySystem, origin: PeerOrigin = .unknown) { (self.memory, self.origin) = (memory, origin) }

  /// Whether there is a batch that has not ended.
  package var isBusy: Bool { conversation != nil }

  /// The name by which the coordinator keeps the batch, once the client knows it.
  package var keptName: String? { conversation?.name }

  /// Whether the coordinator has stored all rows of the batch.
  package var areRowsStored: Bool { conversation.map { $0.rows.isRead && $0.rows.unstored.isEmpty } ?? false }

  /// The bytes of rows that were sent and whose results are still missing.
  public var bytesUnderWay: Int { conversation?.rows.underWay.bytes ?? 0 }

  package var sendsRows: Bool { conversation?.sendsRows ?? false }

  /// The number of bytes of rows to read next; nil while there is no room for them, or at their end.
  public var wantedBytes: Int? {
    guard let conversation, conversation.sendsRows, !conversation.sentRowsTooEarly else { return nil }
    return conversation.rows.wantedBytes(waitsForResults: !conversation.isDetached)
  }

  /// Returns a copy of rows to be sent. The copy is in shared memory if that has room.
  public func copyRows(_ bytes: UnsafeRawBufferPointer) -> OwnedBytes {
    conversation?.channel?.copy(bytes) ?? OwnedBytes(copying: bytes)
  }

  // MARK: Events

  /// Appends the effects of an event in the order in which the loop carries them out.
  public mutating func handle(_ event: ClientEvent, at time: EventTime, into effects: inout [ClientEffect]) {
    running.advance(to: time)
    let now = running.nanoseconds
    switch event {
    case .begin(let request, let isShort, let session):
      number += 1
      conversation = Conversation(
        request, number: number, isShort: isShort, session: session, origin: origin, memory: memory, at: now,
        into: &effects)
    case .complete: effects.append(.send(.complete(batch: number), []))
    case .cancel:
      conversation = nil
      effects.append(.send(.cancel(batch: number), []))
    case .conversation(let event):
      conversation?.handle(event, at: now, into: &effects)
      if conversation?.hasEnded == true { conversation = nil }
    }
    #if DEBUG
      checkInvariants { preconditionFailure($0) }
    #endif
  }
}
