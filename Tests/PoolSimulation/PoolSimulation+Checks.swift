import PoolCoordinatorCore
import PoolProtocol

/// What must hold in every run.
extension PoolSimulation {
  var areBatchesOver: Bool {
    begunBatches == batches.count && batches.allSatisfy { $0.outcome != nil } && clients.isEmpty
  }

  /// What is held at a time stays within its bounds, and nobody is idle while jobs wait.
  func checkBounds() {
    guard let coordinator else { return }
    let flow = configuration.flowControl
    let clientsOfBatches = coordinator.core.clientsOfBatches
    checkMetrics(coordinator.core.metrics, workers: coordinator.core.workerCount)
    if clientsOfBatches.listed != clientsOfBatches.connected { fail("a client that was replaced is still listed") }
    if coordinator.core.hasIdleWorker { fail("a worker has room for jobs while jobs wait") }
    let (resultBytes, rowBytes) = (coordinator.core.largestResultWindow, coordinator.core.largestRowWindow)
    if resultBytes > flow.largestWindow { fail("\(resultBytes) bytes of results are under way to one client") }
    if rowBytes > max(flow.largestWindow, flow.firstChunk) + flow.largestChunk {
      fail("\(rowBytes) bytes of rows are under way from one client")
    }
    for client in clients.values where client.isAlive && !batches[client.batch].excuses.contains("window") {
      let limit = max(flow.largestWindow, ProtocolLimits.chunkBytes) + Self.largestChunk
      if client.core.bytesUnderWay > limit { fail("a client has \(client.core.bytesUnderWay) bytes under way") }
    }
    for connection in connections.values where connection.toPeer.count > Self.mostMessages {
      fail("\(connection.toPeer.count) messages wait for peer \(connection.peer)")
    }
  }

  /// The bytes of a chunk, at most.
  static let largestChunk = 6_000
  /// The number of messages that wait for a peer that has stopped, at most: the coordinator's socket takes no more.
  private static let mostMessages = 20_000

  /// Everything ends: whatever was held is released.
  func finish() {
    if let coordinator { checkRows(coordinator.core.metrics) }
    // A batch whose client has gone for good is given up after some minutes.
    for _ in 0..<2_000 where !isQuiet { drain() }
    pass(700 * Self.second)
    for _ in 0..<2_000 where !isQuiet { drain() }
    // A worker that a coordinator does not know registers again, with other memory. A longer time between two ticks would count
    // as a pause of the worker.
    for _ in 0..<9 {
      pass(Self.second)
      for _ in 0..<2_000 where !isQuiet { drain() }
    }
    guard let coordinator else { return }
    if coordinator.core.abandonedBatchCount > 0 { fail("an abandoned batch is never cancelled") }
    if coordinator.core.batchCount > 0, leftBatchesAreExcused {
      // What was handed over and never fetched is cancelled by the operator.
      for name in coordinator.core.batchNames { addClient(0, .cancel(name: name)) }
      for _ in 0..<2_000 where !isQuiet || !clients.isEmpty { drain() }
    }
    if coordinator.core.batchCount > 0 { fail("the coordinator still has batches: \(coordinator.core.batchNames)") }
    if !disk.files.isEmpty { fail("the spool still has the journals of \(disk.files.count) batches") }
    if coordinator.core.jobCount > 0 || !coordinator.core.isSchedulerEmpty { fail("the coordinator still has jobs") }
    if coordinator.core.assignedJobCount > 0 { fail("a worker is thought to have jobs") }
    let leases = coordinator.core.transferredLeaseCount
    if leases > 0 { fail("\(leases) leases were never released") }
    if coordinator.core.linesOfLostWorkers > 0 { fail("lines of lost workers are still held") }
    // Where messages are lost or come twice on a connection that lasts, which no transport does, some bytes are never
    // released.
    let losesMessages = [SimulatedFaults.Kind.messageIsLost, .messageIsDuplicated].contains {
      faultCounts["\($0)"] != nil
    }
    if coordinator.core.bytesLeftInMemory > 0 && !losesMessages {
      fail("\(coordinator.core.bytesLeftInMemory) bytes of the coordinator's memory are in use")
    }
    for (peer, worker) in workers
    where worker.isAlive && worker.stoppedUntil <= now && worker.connection != nil && !losesMessages
      && !worker.hasMisbehaved
    {
      if worker.core.bytesInUse > 0 {
        fail("\(worker.core.bytesInUse) bytes of the memory of worker \(peer) are in use")
      }
    }
    report(.stop(drains: true))
    for _ in 0..<100 where !coordinatorHasEnded { pass(Self.second) }
    if !coordinatorHasEnded { fail("the coordinator does not end") }
  }

  /// Whether a batch can be left: its users have given it up.
  private var leftBatchesAreExcused: Bool {
    batches.contains { $0.outcome == .done ? $0.isCompletionLost : !$0.excuses.isEmpty }
  }

  private func drain() {
    faults.left = 0
    (disk.isFull, disk.isUnreadable) = (false, false)
    for client in clients.values where client.stoppedUntil != .max { client.stoppedUntil = 0 }
    step()
  }

  /// Whether nothing is under way.
  private var isQuiet: Bool {
    guard let coordinator else { return false }
    return coordinator.core.assignedJobCount == 0 && coordinator.core.batchCount == 0
      && coordinator.core.transferredLeaseCount == 0 && coordinator.core.linesOfLostWorkers == 0
      && disk.busyBatches.isEmpty && disk.files.isEmpty
      && connections.values.allSatisfy { $0.toCoordinator.isEmpty && ($0.toPeer.isEmpty || !$0.isOpen) }
      && workers.values.allSatisfy { $0.order == nil || $0.stoppedUntil > now || !$0.isAlive }
  }
}
