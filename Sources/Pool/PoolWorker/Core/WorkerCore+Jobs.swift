import Buffers
import Hashing
import PoolProtocol

/// The execution of jobs, one after the other, and their results.
extension WorkerCore {
  mutating func begin(_ job: MessageToWorker.Job, _ parts: [OwnedBytes]) {
    guard let lines = job.chunk.lines.map({ channel.lines($0) }) ?? parts.first else {
      return send(.missing(job.reference, isInvisible: true))
    }
    guard job.checksum == 0 || lines.checksum == job.checksum else {
      log(.warning, "the lines of a job were damaged on their way: they differ from their checksum")
      return send(.missing(job.reference, isInvisible: false))
    }
    if announced != job.reference { send(.started(job.reference)) }
    announced = nil
    activity = .layingOut(job)
    emit(.layOut(job, lines: lines))
  }

  /// Sends the results of a job with their columns.
  mutating func finish(
    _ result: WorkerMessage.Result, _ sizes: [Int], _ writeColumns: (Int, UnsafeMutableRawPointer) -> Void
  ) {
    guard case .layingOut(let job) = activity else { return }
    activity = .idle
    guard sizes.allSatisfy({ $0 <= ProtocolLimits.columnBytes }) else {
      return send(.tooLarge(job.reference))
    }
    var result = result
    result.checksums = [UInt64](repeating: 0, count: sizes.count)
    func write(_ variant: Int, _ start: UnsafeMutableRawPointer) {
      writeColumns(variant, start)
      result.checksums[variant] = Checksum.of(UnsafeRawBufferPointer(start: start, count: sizes[variant]))
    }
    result.columns = channel.leave(columns: sizes, write: write)
    let parts =
      result.columns == nil
      ? sizes.enumerated().map { variant, size in OwnedBytes(count: size) { write(variant, $0) } } : []
    result.seenToken = channel.seenToken
    // The result also announces the next job, which saves a message.
    if !hasGrown, case .job(let next)? = inbox.first?.message, programs.contains(next.setup.program) {
      result.next = next.reference
    }
    announced = result.next
    send(.result(result), parts)
  }

  mutating func fail(_ reason: String) {
    guard case .layingOut(let job) = activity else { return }
    activity = .idle
    programs.removeAll { $0 == job.setup.program }
    emit(.unload(job.setup.program))
    send(.failure(job.reference, reason: "the program cannot be used: \(reason)"))
  }
}
