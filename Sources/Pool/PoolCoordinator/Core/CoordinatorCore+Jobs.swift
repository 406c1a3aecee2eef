import Buffers
import PoolProtocol
import PoolScheduler

/// Jobs on their way to workers.
extension CoordinatorCore {
  func send(_ id: JobID, _ attempt: UInt32, to worker: WorkerID) {
    let reference = JobReference(id, attempt: attempt)
    guard let peer = state.workers[worker], let job = current(reference, on: peer) else {
      return act(on: .jobReturned(worker, id, attempt: attempt))
    }
    var message = MessageToWorker.Job(
      reference, setup: job.batch.setup, header: job.lines.header,
      deadline: UInt32(clamping: state.scheduler.deadline(of: id) / 1_000_000_000))
    var parts: [OwnedBytes] = []
    let program = job.batch.description.program
    if !peer.has(program) {
      if peer.channel?.showsPrograms == true, let range = state.programs.range(of: program, memory) {
        message.program = range
      } else if let bytes = state.programs[program] {
        parts.append(bytes)
      }
      peer.noteProgram(program, with: id)
    }
    if let shown = peer.channel?.show(job.lines.bytes, job.lines.range) {
      message.lines = shown
      peer.noteReading(id, job)
    } else if let left = peer.channel?.leave(job.lines.content) {
      message.lines = left
    } else {
      parts.append(job.lines.content)
    }
    emit(.sendToWorker(.job(message), parts, peer.identity))
  }

  /// Replaces the results of a row that ends every worker.
  func failRow(_ id: JobID) {
    guard let job = state.jobs[id], state.batches[job.batch.id] != nil else { return }
    guard job.lines.hasItsRows else { return fail(job.batch.id, Self.wrongClaim) }
    let header = job.lines.header
    let position = LinePosition.text(file: header.file, line: job.lines.firstLineWithRow)
    emit(.log(.warning, "\(position) killed \(Scheduler.maxTries) workers; it is given up"))
    let columns = job.batch.description.variants.map { _ in
      format.failedRows(
        header.firstRow..<header.firstRow + 1,
        "\(position): laying it out ended \(Scheduler.maxTries) worker processes, one after the other")
    }
    store(columns, of: job)
  }

  func split(_ id: JobID) {
    guard let job = state.jobs[id], state.scheduler.isSplitting(id) else { return }
    guard let (first, second) = job.lines.halves(hashes: job.batch.isKept) else {
      return fail(job.batch.id, Self.wrongClaim)
    }
    let next = state.scheduler.nextJobID
    state.jobs[next] = OpenJob(first, of: job.batch)
    state.jobs[next + 1] = OpenJob(second, of: job.batch)
    act(on: .jobSplit(id, first.slice, second.slice))
  }
}
