import PoolProtocol

extension PoolStatus {
  init(_ message: PoolToClient.Status) {
    self.init()
    (version, pid) = (message.version.bounded(ProtocolLimits.nameBytes), message.pid)
    host = message.host.bounded(ProtocolLimits.hostBytes)
    (rowsPerSecond, memory) = (message.rowsPerSecond.bounded(in: 0...ProtocolLimits.rateLimit), message.memory)
    workers = message.workers.map { Worker($0) }
    batches = message.batches.map { Batch($0) }
    clients = message.clients.map { Client($0) }
    (workerCount, batchCount, clientCount) = (message.workerCount, message.batchCount, message.clientCount)
    (pausedBatches, spoolBytes, spoolLimit) = (message.pausedBatches, message.spoolBytes, message.spoolLimit)
    (accepting, obstacle) = (message.accepting, message.obstacle.bounded(ProtocolLimits.waitingBytes))
    metrics = PoolMetrics(message.metrics)
  }

  var message: PoolToClient.Status {
    .with {
      ($0.version, $0.pid, $0.rowsPerSecond, $0.memory, $0.host) = (version, pid, rowsPerSecond, memory, host)
      $0.workers = workers.map(\.message)
      $0.batches = batches.map(\.message)
      $0.clients = clients.map(\.message)
      ($0.workerCount, $0.batchCount, $0.clientCount) = (workerCount, batchCount, clientCount)
      ($0.pausedBatches, $0.spoolBytes, $0.spoolLimit) = (pausedBatches, spoolBytes, spoolLimit)
      ($0.accepting, $0.obstacle) = (accepting, obstacle.bounded(ProtocolLimits.waitingBytes))
      if metrics != PoolMetrics() { $0.metrics = metrics.message }
    }
  }
}

extension PoolStatus.Worker {
  fileprivate init(_ message: PoolToClient.WorkerStatus) {
    self.init()
    (name, pid, jobs) = (message.name.bounded(ProtocolLimits.nameBytes), message.pid, message.jobs)
    (rows, cacheHitRate) = (message.rows, message.cacheHitRate.bounded(in: 0...1))
    (host, key) = (
      message.host.bounded(ProtocolLimits.hostBytes), message.key.bounded(ProtocolLimits.nameBytes)
    )
    let times = 0...ProtocolLimits.timeLimit
    (seen, jobAge, late) = (message.seen.bounded(in: times), message.jobAge.bounded(in: times), message.late)
  }

  fileprivate var message: PoolToClient.WorkerStatus {
    .with {
      ($0.seen, $0.jobAge, $0.late) = (seen, jobAge, late)
      ($0.name, $0.pid, $0.jobs, $0.host, $0.key) = (name, pid, jobs, host, key)
      ($0.rows, $0.cacheHitRate) = (rows, cacheHitRate)
    }
  }
}

extension PoolStatus.Batch {
  init(_ message: PoolToClient.BatchStatus) {
    self.init()
    (name, owner) = (message.name.bounded(ProtocolLimits.nameBytes), message.owner.bounded(ProtocolLimits.nameBytes))
    (input, priority) = (message.input.bounded(ProtocolLimits.inputBytes), message.priority)
    (rowsReceived, rowsDone) = (message.rowsReceived, message.rowsDone)
    (rowsRecovered, waiting) = (message.rowsRecovered, message.waiting.bounded(ProtocolLimits.waitingBytes))
    (queued, running, retries) = (message.queued, message.running, message.retries)
    (age, journalBytes, state) = (message.age, message.journalBytes, message.state.bounded(ProtocolLimits.nameBytes))
  }

  var message: PoolToClient.BatchStatus {
    .with {
      ($0.name, $0.owner, $0.input, $0.priority) = (name, owner, input, priority)
      ($0.rowsReceived, $0.rowsDone) = (rowsReceived, rowsDone)
      ($0.rowsRecovered, $0.waiting) = (rowsRecovered, waiting.bounded(ProtocolLimits.waitingBytes))
      ($0.queued, $0.running, $0.retries) = (queued, running, retries)
      ($0.age, $0.journalBytes, $0.state) = (age, journalBytes, state)
    }
  }
}

extension PoolStatus.Client {
  fileprivate init(_ message: PoolToClient.ClientStatus) {
    self.init()
    (host, pid) = (message.host.bounded(ProtocolLimits.hostBytes), message.pid)
    (key, batch) = (
      message.key.bounded(ProtocolLimits.nameBytes), message.batch.bounded(ProtocolLimits.nameBytes)
    )
  }

  fileprivate var message: PoolToClient.ClientStatus {
    .with { ($0.host, $0.pid, $0.key, $0.batch) = (host, pid, key, batch) }
  }
}
