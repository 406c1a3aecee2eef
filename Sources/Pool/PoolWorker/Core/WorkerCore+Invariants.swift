import PoolProtocol

extension WorkerCore {
  /// Reports each invariant that does not hold.
  package func checkInvariants(_ report: (String) -> Void) {
    func check(_ isTrue: Bool, _ message: @autoclosure () -> String) {
      if !isTrue { report("a worker: " + message()) }
    }
    check(programs.count <= ProtocolLimits.programsOfWorker, "it has \(programs.count) programs")
    check(Set(programs).count == programs.count, "it has a program twice")
    check(offered == nil || isRegistered, "a channel is offered before the first registration")
    switch activity {
    case .idle: check(inbox.isEmpty, "it is idle, and \(inbox.count) messages wait")
    case .fetching(let program):
      check(assembly?.id == program, "it fetches a program, and assembles another")
      check(!programs.contains(program), "it fetches a program that it has")
      if case .job(let job)? = inbox.first?.message {
        check(job.setup.program == program, "it fetches a program, and the next job needs another")
      } else {
        report("a worker: it fetches a program for no job")
      }
    case .layingOut(let job): check(programs.contains(job.setup.program), "it lays out a job without its program")
    case .ended: break
    }
  }
}
