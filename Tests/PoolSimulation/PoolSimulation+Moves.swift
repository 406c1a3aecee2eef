import Buffers
import PoolClientCore
import PoolProtocol
import PoolScheduler
import PoolWorkerCore

/// The moves of a simulation.
extension PoolSimulation {
  private enum Move {
    case time, fault
    case beginBatch
    case toCoordinator(PeerIdentity), toPeer(PeerIdentity)
    case layOut(Int), readRows(Int)
    case disk(BatchID)
    case processEnd, reconnect(Int), replaceWorker(Int), replaceClient(Int)
    case noticeLoss(PeerIdentity)
  }

  func step() {
    let moves = possibleMoves()
    // Much time passes when nothing else can happen.
    guard !moves.isEmpty else { return pass(Self.second) }
    switch moves[random.below(moves.count)] {
    case .time: pass(UInt64(random.below(300_000_000)))
    case .fault: commitFault()
    case .beginBatch: beginBatch()
    case .toCoordinator(let identity): deliverToCoordinator(identity)
    case .toPeer(let identity): deliverToPeer(identity)
    case .layOut(let worker): layOut(worker)
    case .readRows(let client): readRows(client)
    case .disk(let batch): if let event = disk.finish(batch) { report(event) }
    case .processEnd: report(.processEnded(endedProcesses.removeFirst(), how: "simulated"))
    case .reconnect(let peer): reconnect(peer)
    case .replaceWorker(let worker): replaceWorker(worker)
    case .replaceClient(let client): replaceClient(client)
    case .noticeLoss(let identity): noticeLoss(identity)
    }
  }

  private func possibleMoves() -> [Move] {
    var moves: [Move] = []
    if faults.left > 0 { moves.append(.fault) }
    if begunBatches < batches.count { moves.append(.beginBatch) }
    for connection in connections.values.sorted(by: { $0.identity.lexicographicallyPrecedes($1.identity) }) {
      if !connection.toCoordinator.isEmpty { moves.append(.toCoordinator(connection.identity)) }
      if connection.isOpen && !connection.toPeer.isEmpty && canRun(connection.peer) {
        moves.append(.toPeer(connection.identity))
      }
      if !connection.isOpen && connection.toCoordinator.isEmpty { moves.append(.noticeLoss(connection.identity)) }
    }
    for (peer, worker) in workers.sorted(by: { $0.key < $1.key }) {
      if !worker.isAlive {
        if !worker.isOwn { moves.append(.replaceWorker(peer)) }
      } else if worker.stoppedUntil <= now {
        if worker.order != nil { moves.append(.layOut(peer)) }
        if worker.connection == nil { moves.append(.reconnect(peer)) }
      } else if worker.stoppedUntil == .max && !worker.isOwn {
        moves.append(.replaceWorker(peer))
      }
    }
    for (peer, client) in clients.sorted(by: { $0.key < $1.key }) {
      if !client.isAlive {
        moves.append(.replaceClient(peer))
      } else if client.stoppedUntil <= now {
        if client.connection == nil {
          moves.append(.reconnect(peer))
        } else if client.core.wantedBytes != nil {
          moves.append(.readRows(peer))
        }
      }
    }
    for batch in disk.busyBatches { moves.append(.disk(batch)) }
    if !endedProcesses.isEmpty { moves.append(.processEnd) }
    if !moves.isEmpty && happens(oneIn: 4) { moves.append(.time) }
    return moves
  }

  func canRun(_ peer: Int) -> Bool {
    if let worker = workers[peer] { return worker.isAlive && worker.stoppedUntil <= now }
    if let client = clients[peer] { return client.isAlive && client.stoppedUntil <= now }
    return false
  }

  /// Time passes, and everybody who waits for it notices.
  func pass(_ time: UInt64) {
    now += time
    if now >= disk.fullUntil { disk.isFull = false }
    if now >= disk.unreadableUntil { disk.isUnreadable = false }
    report(.tick)
    for (peer, worker) in workers.sorted(by: { $0.key < $1.key })
    where worker.isAlive && worker.stoppedUntil <= now && worker.order == nil && worker.connection != nil {
      // A worker ticks only when no message waits for it.
      if worker.connection?.toPeer.isEmpty == true { report(.tick, toWorker: peer) }
    }
    for (peer, client) in clients.sorted(by: { $0.key < $1.key })
    where client.isAlive && client.stoppedUntil <= now && client.connection?.toPeer.isEmpty == true {
      report(.conversation(.tick), toClient: peer)
    }
  }

  // MARK: Messages

  private func deliverToCoordinator(_ identity: PeerIdentity) {
    guard let connection = connections[identity] else { return }
    let (message, parts) = connection.toCoordinator.removeFirst()
    guard let sent = encodesMessages ? message.reencoded : message else { return fail("a message cannot be decoded") }
    report(.message(sent, parts, from: identity, by: connection.holder))
  }

  private func deliverToPeer(_ identity: PeerIdentity) {
    guard let connection = connections[identity] else { return }
    let (message, parts) = connection.toPeer.removeFirst()
    guard let received = encodesMessages ? message.reencoded : message else {
      return fail("a message cannot be decoded")
    }
    switch received {
    case .worker(let message):
      guard workers[connection.peer] != nil else { return }
      report(.message(message, parts), toWorker: connection.peer)
    case .client(let message):
      guard clients[connection.peer] != nil else { return }
      report(.conversation(.message(message, parts)), toClient: connection.peer)
    }
  }

  /// The peer gets another connection. What was under way on the last one is lost.
  private func reconnect(_ peer: Int) {
    let connection = connect(peer, workers[peer]?.holder ?? .withoutKey)
    workers[peer]?.connection = connection
    clients[peer]?.connection = connection
  }

  /// The coordinator's side notices that a connection has ended: messages cannot be sent any more.
  private func noticeLoss(_ identity: PeerIdentity) { connections[identity] = nil }

  // MARK: Clients

  private func beginBatch() {
    let batch = batches[begunBatches]
    begunBatches += 1
    let request: ClientRequest =
      switch batch.plan {
      case .run: .run(batch.description)
      case .submitAndFetch: .submit(batch.description)
      }
    addClient(begunBatches - 1, request)
  }

  func addClient(_ batch: Int, _ request: ClientRequest) {
    lastPeer += 1
    let process = newProcess()
    if happens(oneIn: 8) { machine.setRemote(process) }
    let client = SimulatedClient(process, memory: memory(of: process), batch: batch, request: request)
    client.connection = connect(lastPeer)
    clients[lastPeer] = client
    note("client \(lastPeer) begins batch \(batches[batch].number)")
    let isShort = batches[batch].lines.reduce(0) { $0 + $1.count } < 1000 && happens(oneIn: 2)
    report(.begin(request, isShort: isShort, session: UInt64(lastPeer) + 100), toClient: lastPeer)
  }

  private func readRows(_ peer: Int) {
    guard let client = clients[peer], let bytes = client.core.wantedBytes else { return }
    let some = min(bytes, [50, 500, 5_000][random.below(3)])
    report(.conversation(client.read(batches[client.batch], bytes: some)), toClient: peer)
  }

  /// Reports an event to a client and carries out its effects.
  func report(_ event: ClientEvent, toClient peer: Int) {
    guard let client = clients[peer] else { return }
    var effects: [ClientEffect] = []
    client.core.handle(event, at: EventTime(monotonic: now), into: &effects)
    client.core.checkInvariants { fail($0) }
    for effect in effects {
      guard let client = clients[peer], client.isAlive else { return }
      switch effect {
      case .send(let message, let parts):
        note("client \(peer): \(Self.brief(message))")
        client.connection?.toCoordinator.append((.client(message), parts))
      case .readProgram(let request):
        report(.conversation(.programRead(batches[client.batch].program, request)), toClient: peer)
      case .take(let rows, let columns): take(rows, columns, client)
      case .begin, .wait: break
      case .end(let name, let input): end(peer, name, input)
      case .fail(let error): noteFailure(peer, error)
      }
    }
  }

  private func take(_ rows: Int, _ columns: [OwnedBytes], _ client: SimulatedClient) {
    let batch = batches[client.batch]
    guard columns.count == batch.description.variants.count else { return fail("a variant is missing") }
    for (variant, part) in columns.enumerated() {
      guard let records = part.withBytes({ SimulatedRecord.read($0) }), records.count == rows else {
        return fail("batch \(batch.number) gets malformed columns")
      }
      batches[client.batch].lostRows.formUnion(records.lazy.filter(\.isLost).map(\.row))
      if let flaw = batch.flaw(of: records, from: client.rowsTaken, variant: variant) { return fail(flaw) }
    }
    client.rowsTaken += UInt64(rows)
  }

  private func end(_ peer: Int, _ name: String, _ input: InputSummary?) {
    guard let client = clients[peer] else { return }
    let batch = batches[client.batch]
    note("client \(peer) ends with batch \(batch.number)")
    switch client.request {
    case .submit:
      batches[client.batch].name = name
      remove(peer)
      addClient(client.batch, .fetch(name: name))
    case .run, .fetch:
      // A batch that has lost its end is said to have an unknown input.
      let hasLostEnd = batch.excuses.contains(SimulatedBatch.damaged) && input == InputSummary(bytes: 0, hash: "")
      guard client.rowsTaken == batch.rows || hasLostEnd else {
        return fail("batch \(batch.number) ends after \(client.rowsTaken) rows")
      }
      guard hasLostEnd || input == SimulatedClient.summary(of: batch) else {
        return fail("batch \(batch.number) has the input \(String(describing: input))")
      }
      if configuration.keepsBatches {
        report(.complete, toClient: peer)
        if client.connection == nil { batches[client.batch].isCompletionLost = true }
      }
      batches[client.batch].outcome = .done
      remove(peer)
    case .cancel:
      batches[client.batch].outcome = batches[client.batch].outcome ?? .cancelled
      remove(peer)
    }
  }

  /// A client reports an error, which a fault must excuse.
  private func noteFailure(_ peer: Int, _ error: PoolError) {
    guard let client = clients[peer] else { return }
    let batch = batches[client.batch]
    note("client \(peer) fails: \(error)")
    remove(peer)
    if case .cancel = client.request { return }
    if batch.outcome != nil { return }
    let reason =
      switch error {
      case .failed(let reason), .refused(let reason): reason
      default: ""
      }
    if reason.contains("has no results that begin"),
      batch.excuses.contains("lostWrites") || batch.excuses.contains(SimulatedBatch.damaged)
    {
      // The user fetches the batch anew.
      return addClient(client.batch, .fetch(name: batch.name))
    }
    // Rows that end workers can end so many in a row that no more are started.
    let endsWorkers = batches.contains { !$0.poisons.isEmpty }
    if endsWorkers, reason.contains("ended without finishing a job") {
      batches[client.batch].excuses.insert("processes")
    }
    guard !batches[client.batch].excuses.isEmpty else {
      return fail("batch \(batch.number) fails without a reason: \(error)")
    }
    batches[client.batch].outcome = .failed("\(error)")
  }

  /// The process ends. What it has sent is still on its way.
  func remove(_ peer: Int) {
    guard let client = clients.removeValue(forKey: peer) else { return }
    machine.end(client.process)
    client.connection?.end()
  }

  /// The user starts another client for a batch whose client has ended.
  private func replaceClient(_ peer: Int) {
    guard let client = clients.removeValue(forKey: peer), batches[client.batch].outcome == nil else { return }
    let batch = batches[client.batch]
    switch client.request {
    case .fetch: addClient(client.batch, .fetch(name: batch.name))
    case .run, .submit:
      // Rows that were not sent are lost with the client.
      batches[client.batch].outcome = .failed("its client ended")
    case .cancel: break
    }
  }

  static func brief(_ message: ClientMessage) -> String {
    let text = "\(message)"
    return String(text.prefix(while: { $0 != "(" })) + " " + String(text.suffix(from: text.startIndex).prefix(160))
  }
}
