import PoolMessages
import ZeroMQ

/// What a client says.
extension BatchClient {
  func submit(_ request: BatchRequest, with program: Frame? = nil) throws(ZeroMQError) {
    var message = PoolFromClient()
    message.submit.version = Version.current
    message.submit.batch = number
    message.submit.variants = request.variants.map { PoolVariant($0) }
    message.submit.program = .init(request.programHash)
    message.submit.priority = request.priority
    message.submit.detached = isDetached
    message.submit.input = request.input
    message.submit.resendsRows = request.resendsRows
    message.submit.session = session
    if let memory = lane?.offer { message.submit.memory = memory }
    try send(message, program.map { [$0] } ?? [])
    feed?.submit()
  }

  /// Rows are not seen, perhaps as the coordinator that showed them has ended: if the batch is kept, they can come again.
  func askAgain() throws {
    guard !name.isEmpty else { throw PoolError.outOfSight }
    hasLostRows = true
    if lane?.isOrphaned == false { sharesMemory = false }
    try attach(name)
  }

  func attach(_ name: String) throws(ZeroMQError) {
    var message = PoolFromClient()
    message.attach.version = Version.current
    message.attach.batch = number
    message.attach.name = name
    message.attach.firstRow = rowsTaken
    attempt += 1
    (message.attach.session, message.attach.attempt) = (session, attempt)
    if lane?.isOrphaned == true { lane = PeerLane(others: Self.maxWorkerMemories) }
    if sharesMemory, let memory = lane?.offer { message.attach.memory = memory }
    try send(message)
  }

  func send(_ chunk: RowsReader.Chunk) throws(ZeroMQError) {
    var message = PoolFromClient()
    message.chunk.batch = number
    message.chunk.firstLine = chunk.firstLine
    message.chunk.firstRow = chunk.firstRow
    message.chunk.rows = chunk.rows
    message.chunk.last = chunk.isLast
    if !chunk.file.isEmpty { message.chunk.file = chunk.file }
    if chunk.isLast {
      message.chunk.inputBytes = feed?.inputBytes ?? 0
      message.chunk.inputHash = feed?.inputHash ?? ""
    }
    if let lane { message.chunk.seen = lane.seen }
    if sharesMemory, let left = lane?.leave(chunk.lines) {
      message.chunk.lines = left
      try send(message)
    } else {
      try send(message, [chunk.lines.share()])
    }
  }

  func sayTaken() throws(ZeroMQError) {
    var message = PoolFromClient()
    message.taken.batch = number
    message.taken.rows = rowsTaken
    if let lane { message.taken.seen = lane.seen }
    try send(message)
  }

  func send(_ message: PoolFromClient, _ bulk: [Frame] = []) throws(ZeroMQError) {
    var envelope = PoolToCoordinator()
    envelope.client = message
    _ = try socket.send([Envelope.encode(envelope)], bulk)
  }
}
