import Buffers
import PoolProtocol

/// Messages of the coordinator, and the end of a request.
extension ClientCore {
  mutating func handle(_ message: MessageToClient, _ parts: [OwnedBytes], _ conversation: inout Conversation) {
    switch message {
    case .programWanted(_, let request):
      conversation.sentRowsTooEarly = true
      if let program = conversation.program {
        send(request, of: program)
      } else if conversation.sendsRows {
        emit(.readProgram(request))
      }
    case .unknown: conversation.hasLostMessages = true
    case .accepted(let accepted): handle(accepted, &conversation)
    case .stored(_, let rows, let isComplete):
      conversation.rows.releaseStored(upTo: rows, isComplete: isComplete)
      // A missing name means that the acceptance was lost. The coordinator repeats it, followed by the number of stored rows.
      if conversation.isDetached && isComplete && !conversation.name.isEmpty { end(&conversation) }
    case .rows(_, let runs): take(runs, parts, &conversation)
    case .done(_, let rows, let input):
      if conversation.hasLostResults { return }
      guard rows == conversation.nextRow else { return fail(.outOfOrder, &conversation) }
      end(&conversation, input)
    case .failed(_, let reason):
      let isRefused = conversation.sendsRows && !conversation.isAccepted
      fail(isRefused ? .refused(reason) : .failed(reason), &conversation)
    case .cancelled: if case .cancel = conversation.request { end(&conversation) }
    case .waiting(_, let reason): emit(.wait(reason: reason))
    case .status, .batches, .ping: break
    }
  }

  mutating func handle(_ accepted: MessageToClient.Accepted, _ conversation: inout Conversation) {
    if let asked = conversation.submission {
      guard asked.program == accepted.description.program, asked.variants == accepted.description.variants else {
        return fail(.otherRequest, &conversation)
      }
    }
    let isFirst = !conversation.isAccepted
    (conversation.isAccepted, conversation.name) = (true, accepted.name)
    (conversation.hasLostResults, conversation.hasLostMessages) = (false, false)
    conversation.channel?.connect(accepted.memory)
    if isFirst, case .fetch = conversation.request { emit(.begin(accepted.description)) }
    guard conversation.sendsRows else { return }
    let chunks = conversation.rows.accept(accepted, isFirst: isFirst, sendsAgain: conversation.sentRowsTooEarly)
    conversation.sentRowsTooEarly = false
    guard let chunks else { return fail(.lostRows, &conversation) }
    for chunk in chunks { send(chunk, conversation) }
    if conversation.isDetached && accepted.isComplete && !accepted.name.isEmpty {
      end(&conversation)
    }
  }

  mutating func end(_ conversation: inout Conversation, _ input: InputSummary? = nil) {
    conversation.hasEnded = true
    emit(.end(name: conversation.name, input: input))
  }

  mutating func fail(_ error: PoolError, _ conversation: inout Conversation) {
    conversation.hasEnded = true
    emit(.fail(error))
  }
}
