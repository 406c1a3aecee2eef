import Buffers
import Hashing
import PoolMemory
import PoolProtocol

/// Messages of the client.
extension Conversation {
  mutating func submit(_ description: BatchDescription) {
    let submit = ClientMessage.Submit(
      version: Version.current, batch: number, description: description, isDetached: isDetached,
      memory: channel?.offer ?? .none, session: session, origin: origin)
    send(.submit(submit))
  }

  mutating func send(_ request: ProgramRequest, of program: OwnedBytes) {
    for range in request.parts(ofProgramWith: program.count) {
      let part = ClientMessage.program(batch: number, offset: UInt64(range.lowerBound), size: UInt64(program.count))
      send(part, [program.slice(range)])
    }
  }

  mutating func attach(_ name: String) {
    attempt += 1
    // A coordinator that has ended releases no ranges, so the channel's memory is replaced.
    if channel?.hasLostCoordinator == true {
      channel = PeerMemoryChannel(memory, others: ClientCore.openMemories)
    }
    let offer = sharesMemory ? channel?.offer : nil
    let attach = ClientMessage.Attach(
      version: Version.current, batch: number, name: name, firstRow: nextRow, memory: offer ?? .none,
      session: session, attempt: attempt, sendsRows: sendsRows, origin: origin)
    send(.attach(attach))
  }

  mutating func send(_ chunk: RowsChunk<OwnedBytes>) {
    let left = sharesMemory ? channel?.leave(chunk.lines) : nil
    let message = ClientMessage.chunk(
      batch: number, chunk.moved(to: left), checksum: chunk.lines.checksum, seenToken: channel?.seenToken ?? 0)
    send(message, left == nil ? [chunk.lines] : [])
  }
}
