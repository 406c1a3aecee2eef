import PoolProtocol

extension ClientCore {
  /// Reports each invariant that does not hold.
  package func checkInvariants(_ report: (String) -> Void) {
    func check(_ isTrue: Bool, _ message: @autoclosure () -> String) {
      if !isTrue { report("a client: " + message()) }
    }
    guard let conversation else { return }
    check(number > 0, "a request has begun without a number")
    check(!conversation.hasEnded, "a request continues that has ended")
    check(conversation.number == number, "the request has another number")
    check(conversation.session != 0, "the request has no session")
    check(conversation.name != "", "a batch is kept by an empty name")
    check(conversation.damagedResults < Conversation.maxDamagedResults, "too many damaged results are allowed")
    check(conversation.sendsRows || conversation.rows.underWay.bytes == 0, "a request without rows has sent some")
    conversation.rows.checkInvariants(report)
  }
}

extension SentRows {
  func checkInvariants(_ report: (String) -> Void) {
    func check(_ isTrue: Bool, _ message: @autoclosure () -> String) {
      if !isTrue { report("a client's rows: " + message()) }
    }
    check(underWay.isConsistent, "bytes under way differ from their sum")
    let chunks = underWay.chunks
    check(zip(chunks, chunks.dropFirst()).allSatisfy { $0.endRow <= $1.endRow }, "chunks are out of order")
    check(
      zip(unstored, unstored.dropFirst()).allSatisfy { $0.endRow == $1.firstRow },
      "unstored chunks do not follow each other")
    check(unstored.dropLast().allSatisfy { $0.end == nil }, "rows follow the last chunk")
    check(isRead || unstored.last?.end == nil, "the last rows were sent before they were read")
    check(window >= 0, "the window is negative")
  }
}
