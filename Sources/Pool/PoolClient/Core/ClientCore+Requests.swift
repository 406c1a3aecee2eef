import Buffers
import Hashing
import PoolMemory
import PoolProtocol

/// Messages of the client.
extension ClientCore {
  func submit(
    _ description: BatchDescription, _ conversation: Conversation, into effects: inout [ClientEffect]
  ) {
    let submit = ClientMessage.Submit(
      version: Version.current, batch: number, description: description, isDetached: conversation.isDetached,
      memory: conversation.channel?.offer ?? .none, session: conversation.session, origin: origin)
    effects.append(.send(.submit(submit), []))
  }

  func send(_ request: ProgramRequest, of program: OwnedBytes, into effects: inout [ClientEffect]) {
    for range in request.parts(ofProgramWith: program.count) {
      let part = ClientMessage.program(
        batch: number, offset: UInt64(range.lowerBound), size: UInt64(program.count))
      effects.append(.send(part, [program.slice(range)]))
    }
  }

  func attach(
    _ name: String, _ conversation: inout Conversation, into effects: inout [ClientEffect]
  ) {
    conversation.attempt += 1
    // A coordinator that has ended releases no ranges, so the channel's memory is replaced.
    if conversation.channel?.hasLostCoordinator == true {
      conversation.channel = PeerMemoryChannel(memory, others: Self.openMemories)
    }
    let offer = conversation.sharesMemory ? conversation.channel?.offer : nil
    let attach = ClientMessage.Attach(
      version: Version.current, batch: number, name: name, firstRow: conversation.nextRow, memory: offer ?? .none,
      session: conversation.session, attempt: conversation.attempt, sendsRows: conversation.sendsRows, origin: origin)
    effects.append(.send(.attach(attach), []))
  }

  func send(_ chunk: RowsChunk<OwnedBytes>, _ conversation: Conversation, into effects: inout [ClientEffect]) {
    let left = conversation.sharesMemory ? conversation.channel?.leave(chunk.lines) : nil
    let message = ClientMessage.chunk(
      batch: number, chunk.moved(to: left), checksum: chunk.lines.checksum,
      seenToken: conversation.channel?.seenToken ?? 0)
    effects.append(.send(message, left == nil ? [chunk.lines] : []))
  }
}
