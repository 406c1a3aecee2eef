import PoolProtocol

extension PoolStatus {
  init(_ message: PoolToClient.Status) {
    self.init()
    (version, process) = (message.version, message.pid)
    (rowsPerSecond, memory) = (message.rowsPerSecond, message.memory)
    batchCount = message.batchCount
    workers = message.workers.map { message in
      var worker = Worker()
      (worker.name, worker.process, worker.jobs) = (message.name, message.pid, message.jobs)
      (worker.rows, worker.cacheHitRate) = (message.rows, message.cacheHitRate)
      return worker
    }
    batches = message.batches.map { Batch($0) }
  }

  var message: PoolToClient.Status {
    .with {
      ($0.version, $0.pid, $0.rowsPerSecond, $0.memory) = (version, process, rowsPerSecond, memory)
      $0.batchCount = batchCount
      $0.workers = workers.map { worker in
        .with {
          ($0.name, $0.pid, $0.jobs) = (worker.name, worker.process, worker.jobs)
          ($0.rows, $0.cacheHitRate) = (worker.rows, worker.cacheHitRate)
        }
      }
      $0.batches = batches.map(\.message)
    }
  }

  /// Returns the state in protobuf's JSON form.
  public func json() throws -> String { try message.jsonString() }
}

extension PoolStatus.Batch {
  init(_ message: PoolToClient.BatchStatus) {
    self.init()
    (name, input, priority) = (message.name, message.input, message.priority)
    (rowsReceived, rowsDone) = (message.rowsReceived, message.rowsDone)
    (rowsRecovered, waiting) = (message.rowsRecovered, message.waiting)
    (queued, running, retries) = (message.queued, message.running, message.retries)
    (age, journalBytes, state) = (message.age, message.journalBytes, message.state)
  }

  var message: PoolToClient.BatchStatus {
    .with {
      ($0.name, $0.input, $0.priority) = (name, input, priority)
      ($0.rowsReceived, $0.rowsDone) = (rowsReceived, rowsDone)
      ($0.rowsRecovered, $0.waiting) = (rowsRecovered, waiting)
      ($0.queued, $0.running, $0.retries) = (queued, running, retries)
      ($0.age, $0.journalBytes, $0.state) = (age, journalBytes, state)
    }
  }
}
