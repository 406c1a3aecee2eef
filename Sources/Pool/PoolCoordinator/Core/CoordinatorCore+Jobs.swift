import Buffers
import PoolProtocol
import PoolScheduler

/// Jobs that are sent to workers.
extension CoordinatorCore {
  mutating func send(_ id: JobID, _ attempt: UInt32, to worker: WorkerID) {
    let reference = JobReference(id, attempt: attempt)
    guard let peer = state.workers[worker], let job = current(reference, on: peer) else {
      return act(on: .jobReturned(worker, id, attempt: attempt))
    }
    var message = MessageToWorker.Job(
      reference, setup: job.batch.setup, chunk: job.chunk.moved(to: nil),
      deadline: UInt32(clamping: state.scheduler.deadline(of: id) / 1_000_000_000), checksum: job.chunk.lines.checksum)
    var parts: [OwnedBytes] = []
    let shown = peer.channel?.show(job.chunk.lines)
    if let shown {
      message.chunk.lines = shown
    } else if let left = peer.channel?.leave(job.chunk.lines) {
      message.chunk.lines = left
    } else {
      parts.append(job.chunk.lines)
    }
    peer.noteSent(.init(id: id, time: now, isShared: parts.isEmpty, reading: shown == nil ? nil : job))
    if let time = job.noteSent(at: now), job.chunk.rows > 0 { state.metrics.queueTime.record(time) }
    send(.job(message), parts, toWorker: peer.identity)
  }

  /// Sends a job without rows.
  mutating func probe(_ batch: BatchID, _ id: JobID, _ attempt: UInt32, _ worker: WorkerID) {
    if let batch = state.batches[batch] {
      let noLines = RowsChunk(OwnedBytes.empty, firstLine: 1, firstRow: 0, rows: 0)
      state.jobs[id] = OpenJob(noLines, of: batch, readySince: now)
    }
    send(id, attempt, to: worker)
  }

  /// Sends the parts of a program that a worker asks for.
  mutating func send(_ request: ProgramRequest, to worker: WorkerConnection) {
    act(on: .workerWaits(worker.id))
    if request.isInvisible && worker.noteInvisible() { state.programs.stopSharingFiles() }
    let program = request.program
    guard let count = state.programs.byteCount(of: program) else {
      return send(.program(.init(program, size: 0)), toWorker: worker.identity)
    }
    let size = UInt64(count)
    if request.offset == 0, worker.channel?.showsPrograms == true,
      let shared = state.programs.share(program, memory)
    {
      worker.noteShown(shared)
      let part = MessageToWorker.ProgramPart(program, size: size, shared: shared.range, files: shared.files)
      return send(.program(part), toWorker: worker.identity)
    }
    let bytes = state.programs.bytes(of: program) ?? .empty
    for range in request.parts(ofProgramWith: count) {
      let part = MessageToWorker.ProgramPart(program, size: size, offset: UInt64(range.lowerBound))
      send(.program(part), [bytes.slice(range)], toWorker: worker.identity)
    }
  }

  /// Stores a bad row as the results of a job whose row could not be laid out.
  mutating func failRow(_ id: JobID, _ failure: RowFailure) {
    guard let job = state.jobs[id], state.batches[job.batch.id] != nil else { return }
    guard job.chunk.hasItsRows else { return fail(job.batch.id, Self.wrongClaim) }
    let position = LinePosition(file: job.chunk.file, line: job.chunk.firstLineWithRow)
    let reason =
      switch failure {
      case .endedWorkers: "laying it out ended \(Scheduler.maxTries) worker processes, one after the other"
      case .refused:
        "the results of \(Scheduler.maxRefusals) attempts to lay it out were damaged or invalid"
      case .tooLarge:
        "its frames and resources take more than \(ProtocolLimits.columnBytes >> 20) MiB, the limit for one row"
      }
    log(.warning, "\(position): \(reason); the row is recorded as bad")
    store(badRowsOf: job, "\(position): \(reason)")
  }

  mutating func split(_ id: JobID) {
    guard let job = state.jobs[id], state.scheduler.isSplitting(id) else { return }
    guard let parts = job.chunk.split() else {
      return fail(job.batch.id, Self.wrongClaim)
    }
    for (offset, part) in parts.enumerated() {
      state.jobs[state.scheduler.nextJobID + UInt64(offset)] = OpenJob(part, of: job.batch, readySince: now)
    }
    act(on: .jobSplit(id, parts.map(\.slice)))
  }
}
