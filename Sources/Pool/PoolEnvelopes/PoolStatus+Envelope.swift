import PoolProtocol

extension PoolStatus {
  init(_ message: PoolToClient.Status) {
    self.init()
    (version, process) = (message.version, message.pid)
    (rowsPerSecond, memory) = (message.rowsPerSecond, message.memory)
    workers = message.workers.map { message in
      var worker = Worker()
      (worker.name, worker.process, worker.jobs) = (message.name, message.pid, message.jobs)
      (worker.rows, worker.cacheHitRate) = (message.rows, message.cacheHitRate)
      return worker
    }
    batches = message.batches.map { message in
      var batch = Batch()
      (batch.name, batch.input, batch.priority) = (message.name, message.input, message.priority)
      (batch.rowsReceived, batch.rowsDone) = (message.rowsReceived, message.rowsDone)
      (batch.rowsRecovered, batch.waiting) = (message.rowsRecovered, message.waiting)
      (batch.queued, batch.running, batch.retries) = (message.queued, message.running, message.retries)
      return batch
    }
  }

  var message: PoolToClient.Status {
    .with {
      ($0.version, $0.pid, $0.rowsPerSecond, $0.memory) = (version, process, rowsPerSecond, memory)
      $0.workers = workers.map { worker in
        .with {
          ($0.name, $0.pid, $0.jobs) = (worker.name, worker.process, worker.jobs)
          ($0.rows, $0.cacheHitRate) = (worker.rows, worker.cacheHitRate)
        }
      }
      $0.batches = batches.map { batch in
        .with {
          ($0.name, $0.input, $0.priority) = (batch.name, batch.input, batch.priority)
          ($0.rowsReceived, $0.rowsDone) = (batch.rowsReceived, batch.rowsDone)
          ($0.rowsRecovered, $0.waiting) = (batch.rowsRecovered, batch.waiting)
          ($0.queued, $0.running, $0.retries) = (batch.queued, batch.running, batch.retries)
        }
      }
    }
  }
}
