@testable import LayoutPool

/// What must be so in every run.
extension PoolSimulation {
  /// Every batch has come and gone.
  var isOver: Bool { batches.allSatisfy { $0.state == .done || $0.state == .cancelled } }

  /// Nothing is under way, and nobody has anything to do or is thought to have.
  var isQuiet: Bool { isStill && scheduler.workers.values.allSatisfy { $0.jobs.isEmpty } }

  private var isStill: Bool { workers.allSatisfy { $0.words.isEmpty && !$0.canWork(at: now) } }

  /// As long as jobs are queued, no worker has nothing to do, or room for one. Of short ones it may get more later, as
  /// what they cost is only seen when it answers.
  func checkThatNobodyIsIdle() {
    guard scheduler.batches.values.contains(where: { $0.queued > 0 }) else { return }
    for (id, worker) in scheduler.workers
    where worker.jobs.isEmpty || (worker.jobs.count < Scheduler.jobsAtHand && worker.takesMore) {
      fail("worker \(id) has room for jobs, and jobs are queued")
    }
  }

  /// As long as jobs are queued, a worker that has answered has as many as it may have.
  func checkThatItHasEnough(_ worker: Scheduler.Worker) {
    guard worker.takesMore, scheduler.batches.values.contains(where: { $0.queued > 0 }) else { return }
    fail("worker \(worker.id) has answered and has room for jobs, and jobs are queued")
  }

  /// When all that was sent has been answered, nobody is thought to have jobs.
  func checkThatCreditComesBack() {
    guard !hasLosses && isStill && !isQuiet else { return }
    fail("a worker has answered all, and is thought to have jobs")
  }

  /// When all is over, neither the scheduler nor the coordinator knows of anything but workers without jobs.
  func checkThatNothingIsLeft() {
    if !scheduler.isEmpty { fail("the scheduler still has batches or jobs") }
    if !files.isEmpty || !results.isEmpty { fail("jobs were never forgotten") }
    if Set(scheduler.workers.keys) != Set(names.keys) { fail("the scheduler has other workers than there are") }
  }
}
