import Buffers
import PoolProtocol

/// Messages of the coordinator, and the end of a request.
extension ClientCore {
  func handle(
    _ message: MessageToClient, _ parts: [OwnedBytes], _ conversation: inout Conversation,
    into effects: inout [ClientEffect]
  ) {
    switch message {
    case .programWanted(_, let request):
      conversation.sentRowsTooEarly = true
      if let program = conversation.program {
        send(request, of: program, into: &effects)
      } else if conversation.sendsRows {
        effects.append(.readProgram(request))
      }
    case .unknown: conversation.hasLostMessages = true
    case .accepted(let accepted): handle(accepted, &conversation, into: &effects)
    case .stored(_, let rows, let isComplete):
      conversation.rows.releaseStored(upTo: rows, isComplete: isComplete)
      // A missing name means that the acceptance was lost. The coordinator repeats it, followed by the number of stored rows.
      if conversation.isDetached && isComplete && !conversation.name.isEmpty { end(&conversation, into: &effects) }
    case .rows(_, let runs): take(runs, parts, &conversation, into: &effects)
    case .done(_, let rows, let input):
      if conversation.hasLostResults { return }
      guard rows == conversation.nextRow else { return fail(.outOfOrder, &conversation, into: &effects) }
      end(&conversation, input, into: &effects)
    case .failed(_, let reason):
      let isRefused = conversation.sendsRows && !conversation.isAccepted
      fail(isRefused ? .refused(reason) : .failed(reason), &conversation, into: &effects)
    case .cancelled: if case .cancel = conversation.request { end(&conversation, into: &effects) }
    case .waiting(_, let reason): effects.append(.wait(reason: reason))
    case .status, .batches, .ping: break
    }
  }

  func handle(
    _ accepted: MessageToClient.Accepted, _ conversation: inout Conversation, into effects: inout [ClientEffect]
  ) {
    if let asked = conversation.submission {
      guard asked.program == accepted.description.program, asked.variants == accepted.description.variants else {
        return fail(.otherRequest, &conversation, into: &effects)
      }
    }
    (conversation.isAccepted, conversation.name) = (true, accepted.name)
    (conversation.hasLostResults, conversation.hasLostMessages) = (false, false)
    conversation.channel?.connect(accepted.memory)
    if case .fetch = conversation.request, !conversation.hasBegun {
      conversation.hasBegun = true
      effects.append(.begin(KeptBatch(name: accepted.name, description: accepted.description)))
    }
    guard conversation.sendsRows else { return }
    let chunks = conversation.rows.accept(
      window: Int(clamping: accepted.window), storedRows: accepted.storedRows, isComplete: accepted.isComplete,
      isKept: !accepted.name.isEmpty, sendsAgain: conversation.sentRowsTooEarly)
    conversation.sentRowsTooEarly = false
    guard let chunks else { return fail(.lostRows, &conversation, into: &effects) }
    for chunk in chunks { send(chunk, conversation, into: &effects) }
    if conversation.isDetached && accepted.isComplete && !accepted.name.isEmpty {
      end(&conversation, into: &effects)
    }
  }

  func end(
    _ conversation: inout Conversation, _ input: InputSummary? = nil, into effects: inout [ClientEffect]
  ) {
    conversation.hasEnded = true
    effects.append(.end(name: conversation.name, input: input))
  }

  func fail(_ error: PoolError, _ conversation: inout Conversation, into effects: inout [ClientEffect]) {
    conversation.hasEnded = true
    effects.append(.fail(error))
  }
}
