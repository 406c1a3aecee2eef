import Buffers
import PoolProtocol
import PoolWorkerCore

/// The faults of a simulation.
extension PoolSimulation {
  func commitFault() {
    faults.left -= 1
    let kind = faults.kinds[random.below(faults.kinds.count)]
    // A fault of a worker that lays out a job does more than that of an idle one.
    let busy = workers.filter { $0.value.order != nil }.keys.sorted()
    let worker = (busy.isEmpty || happens(oneIn: 3) ? workers.keys.sorted() : busy).randomElement(using: &random)
    let client = clients.keys.sorted().randomElement(using: &random)
    note("fault: \(kind)")
    count(kind)
    switch kind {
    case .workerEnds, .workerStops, .workerIsSlow, .workerReplaces, .workerMisbehaves, .workerLeaves:
      if let worker { disturb(worker, kind) }
    case .workerJoins:
      addWorker(isOwn: false, isOnFaultyMachine: happens(oneIn: 4))
      if happens(oneIn: 3) { workers[lastPeer]?.isUnfit = true }
    case .clientEnds: if let client { endClient(client) }
    case .clientStops:
      if let client { clients[client]?.stoppedUntil = now + UInt64(random.below(5_000_000_000)) }
    case .clientIgnoresItsWindow: if let client { sendAllRows(client) }
    case .coordinatorEnds: restart()
    case .machineFails:
      disk.loseProcess(&random)
      disk.loseUnsynchronizedBytes(&random)
      excuseAll("lostWrites")
      restart()
    case .clockJumps:
      clockOffset += 60 * Self.second
      report(.tick)
    case .messageIsDuplicated: duplicate()
    case .messageIsLost: lose()
    case .messageIsDamaged: damage()
    case .connectionEnds: if let peer = [worker, client].compactMap({ $0 }).randomElement(using: &random) { cut(peer) }
    case .diskIsFull:
      disk.isFull = true
      disk.fullUntil = now + UInt64(random.below(20)) * Self.second
      // A batch that is accepted waits until there is room. One that is not may be refused.
      for index in batches.indices where batches[index].outcome == nil && !isAccepted(index) {
        batches[index].excuses.insert("disk")
      }
    case .diskIsSlow: disk.isSlow.toggle()
    case .diskIsFaulty:
      disk.loseProcess(&random)
      if let variants = disk.damage(&random),
        let index = batches.firstIndex(where: { $0.description.variants == variants })
      {
        batches[index].excuses.insert(SimulatedBatch.damaged)
      }
      restart()
    case .journalsAreUnreadable:
      disk.isUnreadable = true
      disk.unreadableUntil = now + UInt64(random.below(60)) * Self.second
      // A client that connects again before its batch can be read is refused.
      excuseAll("unreadable")
      restart()
    case .batchIsCancelled: cancel()
    }
  }

  /// From now on, an error is a right end of all batches that have not ended.
  func excuseAll(_ excuse: String) {
    for index in batches.indices where batches[index].outcome == nil { batches[index].excuses.insert(excuse) }
  }

  private func disturb(_ peer: Int, _ kind: SimulatedFaults.Kind) {
    guard let worker = workers[peer], worker.isAlive else { return }
    switch kind {
    case .workerEnds:
      noteMisfortune(worker.connection?.identity)
      endWorker(peer, losing: random.below(3))
    case .workerStops:
      noteMisfortune(worker.connection?.identity)
      // A worker that goes on after it was given up reads lines and writes results that nobody expects any more.
      worker.stoppedUntil = happens(oneIn: 3) ? .max : now + UInt64(random.below(5_000_000_000))
    case .workerIsSlow: worker.slowness = random.below(8)
    case .workerReplaces: report(.memoryMeasured(SimulatedWorker.memoryLimit + 1), toWorker: peer)
    case .workerMisbehaves where worker.isOnFaultyMachine: break
    case .workerMisbehaves: worker.fault = WorkerFault.allCases.randomElement(using: &random)
    case .workerLeaves: report(.stop, toWorker: peer)
    default: break
    }
  }

  private func endClient(_ peer: Int) {
    guard let client = clients[peer], client.isAlive else { return }
    batches[client.batch].excuses.insert("client")
    client.isAlive = false
    machine.end(client.process)
    client.connection?.end(losing: random.below(3))
  }

  /// A client sends the rest of its rows at once, whatever its window is.
  private func sendAllRows(_ peer: Int) {
    guard let client = clients[peer], client.isAlive, client.stoppedUntil <= now, client.connection != nil,
      client.core.sendsRows
    else { return }
    batches[client.batch].excuses.insert("window")
    for _ in 0..<20 {
      report(.conversation(client.read(batches[client.batch], bytes: 5_000)), toClient: peer)
    }
  }

  /// The coordinator ends, and with it all connections; another one continues with its journals.
  private func restart() {
    note("the coordinator restarts")
    disk.loseProcess(&random)
    (coordinator, distrustedUntil) = (nil, 0)
    machine.end(coordinatorProcess)
    for index in batches.indices {
      if batches[index].outcome == .done { batches[index].isCompletionLost = true }
      guard batches[index].outcome == nil else { continue }
      // A batch that is not kept is lost with the coordinator, and so is one whose client does not know its name yet.
      batches[index].excuses.insert("coordinator")
      if configuration.keepsBatches && isAccepted(index) { batches[index].excuses.remove("coordinator") }
    }
    for connection in connections.values {
      connection.toCoordinator = []
      connection.toPeer = []
    }
    connections = [:]
    events = []
    for (peer, worker) in workers {
      if worker.isOwn {
        // A coordinator's own workers end with it.
        worker.isAlive = false
        machine.end(worker.process)
        workers[peer] = nil
      } else {
        worker.connection = nil
      }
    }
    endedProcesses = []
    for client in clients.values { client.connection = nil }
    let resuming = endResendingClients()
    now += UInt64(random.below(1_000_000_000))
    startCoordinator()
    for (batch, name) in resuming {
      addClient(batch, .run(batches[batch].description, resuming: name))
    }
  }

  /// A client that sends its rows again ends with the coordinator, as in `galley layout`, and is started again by its
  /// user. Returns the batches that are to be resumed, with their names.
  private func endResendingClients() -> [(batch: Int, name: String)] {
    var resuming: [(Int, String)] = []
    for (peer, client) in clients.sorted(by: { $0.key < $1.key })
    where batches[client.batch].description.resendsRows && batches[client.batch].outcome == nil {
      remove(peer)
      guard case .run = client.request else { continue }
      if let name = client.core.keptName ?? (batches[client.batch].name.isEmpty ? nil : batches[client.batch].name) {
        batches[client.batch].name = name
        resuming.append((client.batch, name))
      } else {
        batches[client.batch].outcome = .failed("the run ended")
        batches[client.batch].excuses.insert("coordinator")
      }
    }
    return resuming
  }

  /// Whether the client of a batch knows that it is kept.
  private func isAccepted(_ batch: Int) -> Bool {
    clients.values.contains { $0.batch == batch && $0.core.keptName != nil }
  }

  /// Messages of workers can come twice or not at all, as far as the coordinator may assume.
  private func duplicate() {
    guard let connection = workerConnection else { return }
    // A result that comes twice must not release the columns of the first one.
    let results = connection.toCoordinator.filter {
      if case .worker(.result) = $0.message { true } else { false }
    }
    if happens(oneIn: 2) {
      connection.toCoordinator += results
    } else if let message = connection.toCoordinator.randomElement(using: &random) {
      connection.toCoordinator.append(message)
    }
    if let message = connection.toPeer.randomElement(using: &random), case .worker(.job) = message.message {
      connection.toPeer.append(message)
    }
  }

  private func lose() {
    guard let connection = workerConnection else { return }
    noteMisfortune(connection.identity)
    if happens(oneIn: 2) {
      guard let index = connection.toCoordinator.indices.randomElement(using: &random) else { return }
      connection.toCoordinator.remove(at: index)
    } else {
      guard let index = connection.toPeer.indices.randomElement(using: &random) else { return }
      connection.toPeer.remove(at: index)
    }
  }

  /// A message arrives with other bits than it was sent with, which its receiver finds.
  private func damage() {
    if happens(oneIn: 3) && changeContents() { return }
    let open = connections.values.filter { $0.isOpen && !($0.toCoordinator.isEmpty && $0.toPeer.isEmpty) }
      .sorted { $0.identity.lexicographicallyPrecedes($1.identity) }
    guard let connection = open.randomElement(using: &random) else { return }
    noteMisfortune(connection.identity)
    if let client = clients[connection.peer], !configuration.keepsBatches {
      batches[client.batch].excuses.insert("connection")
    }
    if !connection.toCoordinator.isEmpty && (connection.toPeer.isEmpty || happens(oneIn: 2)) {
      let (message, _) = connection.toCoordinator.removeFirst()
      // Nothing else shows that the client of a batch has all its results.
      if case .client(.complete) = message, let batch = clients[connection.peer]?.batch {
        batches[batch].isCompletionLost = true
      }
      report(.malformedMessage(from: connection.identity, by: connection.holder))
    } else if canRun(connection.peer) {
      connection.toPeer.removeFirst()
      workers[connection.peer] == nil
        ? report(.conversation(.malformedMessage), toClient: connection.peer)
        : report(.malformedMessage, toWorker: connection.peer)
    }
  }

  /// A program or the lines of a job arrive with another bit in a message that is well formed. Returns whether any is under way.
  private func changeContents() -> Bool {
    let places = workers.sorted { $0.key < $1.key }.compactMap(\.value.connection).flatMap { connection in
      connection.toPeer.indices.filter { Self.hasContents(connection.toPeer[$0]) }.map { (connection, $0) }
    }
    guard let (connection, index) = places.randomElement(using: &random) else { return false }
    noteMisfortune(connection.identity)
    connection.toPeer[index].parts = flipped(connection.toPeer[index].parts)
    return true
  }

  private static func hasContents(_ message: (message: MessageToPeer, parts: [OwnedBytes])) -> Bool {
    switch message.message {
    case .worker(.program), .worker(.job): message.parts.contains { $0.count > 0 }
    default: false
    }
  }

  private var workerConnection: SimulatedConnection? {
    workers.sorted(by: { $0.key < $1.key }).compactMap(\.value.connection).randomElement(using: &random)
  }

  /// A connection ends. What was under way is lost, in part, and the peer connects anew.
  private func cut(_ peer: Int) {
    guard let connection = workers[peer]?.connection ?? clients[peer]?.connection else { return }
    if let client = clients[peer], !configuration.keepsBatches {
      batches[client.batch].excuses.insert("connection")
    }
    noteMisfortune(connection.identity)
    connection.end(losing: random.below(connection.toCoordinator.count + 1))
    workers[peer]?.connection = nil
    clients[peer]?.connection = nil
  }

  /// A user cancels a batch that the coordinator keeps, by its name.
  private func cancel() {
    let candidates = batches.indices.filter {
      batches[$0].outcome == nil && !batches[$0].name.isEmpty
    }
    guard let batch = candidates.randomElement(using: &random) else { return }
    batches[batch].excuses.insert("cancelled")
    addClient(batch, .cancel(name: batches[batch].name))
  }
}
