import PoolProtocol
import Testing

@testable import Gateway

/// Tests of when a gateway is ready.
@Suite struct ReadinessTests {
  private func status(workers: UInt32 = 1, _ states: [String] = []) -> PoolStatus {
    var status = PoolStatus()
    status.workerCount = workers
    status.metrics.uptime = 1
    status.batches = states.map { state in
      var batch = PoolStatus.Batch()
      (batch.state, batch.waiting) = (state, state == "paused" ? "there is no room" : "")
      return batch
    }
    return status
  }

  @Test func aPoolWithAWorkerIsReady() {
    for states in [[], ["done"], ["running", "paused"], ["receiving"], ["failed", "unreadable"]] {
      #expect(Readiness.obstacle(status(states), isFull: false) == nil, "\(states)")
    }
  }

  @Test func nothingIsAcceptedWithoutACoordinatorAWorkerARoomOrAPlace() {
    #expect(Readiness.obstacle(nil, isFull: false)?.title == "No coordinator")
    #expect(Readiness.obstacle(status(workers: 0), isFull: false)?.title == "No worker")
    #expect(Readiness.obstacle(status(), isFull: true)?.title == "Busy")
    var refusing = status()
    (refusing.accepting, refusing.obstacle) = (false, "the spool has no room")
    #expect(Readiness.obstacle(refusing)?.detail == "The coordinator accepts no batches: the spool has no room.")
  }

  @Test func aPoolThatSendsNoMetricsAcceptsNothingFromTheKeyOfAWorker() {
    var refusing = status()
    refusing.metrics = PoolMetrics()
    #expect(Readiness.obstacle(refusing)?.title == "Key of a worker")
  }

  @Test func everyObstacleSaysWhenToTryAgain() {
    for problem in [
      Readiness.obstacle(nil), Readiness.obstacle(status(workers: 0)), Readiness.obstacle(status(), isFull: true),
    ] {
      #expect(problem?.status == 503 && problem?.retrySeconds != nil)
    }
  }
}
