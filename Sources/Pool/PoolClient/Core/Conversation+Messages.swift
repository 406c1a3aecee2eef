import Buffers
import PoolProtocol

/// Messages of the coordinator.
extension Conversation {
  mutating func handle(_ message: MessageToClient, _ parts: [OwnedBytes]) {
    switch message {
    case .programWanted(_, let request):
      sentRowsTooEarly = true
      if let program {
        send(request, of: program)
      } else if sendsRows {
        emit(.readProgram(request))
      }
    case .unknown: hasLostMessages = true
    case .accepted(let accepted): handle(accepted)
    case .stored(_, let rows, let isComplete):
      self.rows.releaseStored(upTo: rows, isComplete: isComplete)
      // A missing name means that the acceptance was lost. The coordinator repeats it, followed by the number of stored rows.
      if isDetached && isComplete && name != nil { end() }
    case .rows(_, let runs): take(runs, parts)
    case .done(_, let rows, let input):
      if lacksResults { return }
      guard rows == nextRow else { return fail(.outOfOrder) }
      end(input)
    case .failed(_, let reason):
      let isRefused = sendsRows && !isAccepted
      fail(isRefused ? .refused(reason) : .failed(reason))
    case .cancelled: if case .cancel = request { end() }
    case .waiting(_, let reason): emit(.wait(reason: reason))
    case .status, .batches, .ping: break
    }
  }

  mutating func handle(_ accepted: MessageToClient.Accepted) {
    if let asked = submission {
      guard asked.program == accepted.description.program, asked.variants == accepted.description.variants else {
        return fail(.otherRequest)
      }
    }
    let isFirst = !isAccepted
    phase = accepted.name.isEmpty ? .accepted : .kept(name: accepted.name, lacksResults: false)
    hasLostMessages = false
    channel?.connect(accepted.memory)
    if isFirst, case .fetch = request { emit(.begin(accepted.description)) }
    guard sendsRows else { return }
    let chunks = rows.accept(accepted, isFirst: isFirst, sendsAgain: sentRowsTooEarly)
    sentRowsTooEarly = false
    guard let chunks else { return fail(.lostRows) }
    for chunk in chunks { send(chunk) }
    if isDetached && accepted.isComplete && name != nil { end() }
  }
}
