import Buffers
import Hashing
import PoolMemory
import PoolProtocol

/// Messages of the client.
extension ClientCore {
  mutating func submit(_ description: BatchDescription, _ conversation: Conversation) {
    let submit = ClientMessage.Submit(
      version: Version.current, batch: number, description: description, isDetached: conversation.isDetached,
      memory: conversation.channel?.offer ?? .none, session: conversation.session, origin: origin)
    send(.submit(submit))
  }

  mutating func send(_ request: ProgramRequest, of program: OwnedBytes) {
    for range in request.parts(ofProgramWith: program.count) {
      let part = ClientMessage.program(
        batch: number, offset: UInt64(range.lowerBound), size: UInt64(program.count))
      send(part, [program.slice(range)])
    }
  }

  mutating func attach(_ name: String, _ conversation: inout Conversation) {
    conversation.attempt += 1
    // A coordinator that has ended releases no ranges, so the channel's memory is replaced.
    if conversation.channel?.hasLostCoordinator == true {
      conversation.channel = PeerMemoryChannel(memory, others: Self.openMemories)
    }
    let offer = conversation.sharesMemory ? conversation.channel?.offer : nil
    let attach = ClientMessage.Attach(
      version: Version.current, batch: number, name: name, firstRow: conversation.nextRow, memory: offer ?? .none,
      session: conversation.session, attempt: conversation.attempt, sendsRows: conversation.sendsRows, origin: origin)
    send(.attach(attach))
  }

  mutating func send(_ chunk: RowsChunk<OwnedBytes>, _ conversation: Conversation) {
    let left = conversation.sharesMemory ? conversation.channel?.leave(chunk.lines) : nil
    let message = ClientMessage.chunk(
      batch: number, chunk.moved(to: left), checksum: chunk.lines.checksum,
      seenToken: conversation.channel?.seenToken ?? 0)
    send(message, left == nil ? [chunk.lines] : [])
  }
}
