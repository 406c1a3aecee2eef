import PoolProtocol
import PoolScheduler

/// Reports an invariant that does not hold.
private typealias Check = (_ isTrue: Bool, _ message: @autoclosure () -> String) -> Void

/// The invariants of a coordinator between two events.
extension CoordinatorCore {
  /// Reports each invariant that does not hold.
  package func checkInvariants(_ report: (String) -> Void) {
    func check(_ isTrue: Bool, _ message: @autoclosure () -> String) {
      if !isTrue { report("the coordinator: " + message()) }
    }
    state.scheduler.checkInvariants(report)
    for (id, batch) in state.batches { checkBatch(batch, id, report) }
    checkClients(check)
    checkWorkers(check)
    checkJobs(check)
    checkPrograms(check)
    state.transferred.checkInvariants(report)
    check(state.takenSchedulerEffects == 0 && state.schedulerEffects.isEmpty, "effects of the scheduler are left")
    check(state.unreadable.keys.allSatisfy { state.batches[$0]?.isOpen != true }, "a batch is both open and unreadable")
    check(state.batches.keys.allSatisfy { $0 <= state.lastBatch }, "a batch has a number that was not given")
    check(state.paused.ids.allSatisfy { state.batches[$0] != nil }, "a batch pauses that does not exist")
    check(!state.paused.ids.isEmpty || state.paused.failure == nil, "no batch pauses, but there is a reason for pauses")
    check(state.failedCreation.isConsistent, "the creation of a journal is retried that is not queued")
    check(state.failedCreation.count <= 1, "the creation of \(state.failedCreation.count) journals is retried")
    check(state.unflushed.allSatisfy { $0.results.awaitsFlush }, "a batch is listed with unsent results and has none")
    check(Set(state.unflushed.map(\.id)).count == state.unflushed.count, "a batch is listed twice with unsent results")
    check(state.distrusted.count <= DistrustedWorkers.maxCount, "\(state.distrusted.count) workers are distrusted")
    check(state.fleet.hasRoom, "more processes run than were asked for")
    let counters = state.metrics
    let ended = counters.batchesDone + counters.batchesFailed + counters.batchesCancelled
    let open = UInt64(state.batches.values.count { $0.isOpen })
    check(counters.batchesAccepted + counters.batchesRecovered == ended + open, "batches are counted wrongly")
    check(counters.layoutTime.count == counters.jobsDone, "the jobs that are done are counted wrongly")
  }

  private func checkBatch(_ batch: OpenBatch, _ id: BatchID, _ report: (String) -> Void) {
    func check(_ isTrue: Bool, _ message: @autoclosure () -> String) {
      if !isTrue { report("batch \(batch.name), \(batch.phase): \(message())") }
    }
    let scheduled = state.scheduler.batch(id)
    check(batch.id == id, "it is listed under another number")
    check(batch.phase != .creating || batch.isKept, "its journal is created, and it is not kept")
    check((scheduled != nil) == (batch.phase == .open), "the scheduler \(scheduled == nil ? "lacks" : "has") it")
    check(batch.isOpen || batch.isKept, "it has ended and is not kept")
    check(!batch.isKept || configuration.keepsBatches, "it is kept without a spool")
    check(batch.isKept || batch.isHeldInMemory, "it is neither kept nor held in memory")
    check(
      state.paused.ids.contains(id) == (batch.hasJournal && batch.journal.pauseReason != nil),
      "its pause is listed wrongly")
    check(
      batch.results.awaitsFlush == state.unflushed.contains { $0 === batch }, "its unsent results are listed wrongly")
    check(batch.client.connection != nil || batch.results.unsent.isEmpty, "it has unsent results and no client")
    check(batch.client.expiresAt == nil || (batch.client.connection == nil && !batch.isOpen), "it expires too early")
    check(batch.client.givenUpAt == nil || batch.isKept, "it waits for rows, and is not kept")
    check(
      !batch.client.replacedSessions.contains(batch.client.lastAttempt.session),
      "a client has it again that another one replaced")
    check(batch.isKept || batch.client.connection != nil, "it is not kept and has no client")
    if case .done(let rows) = batch.phase {
      check(rows == batch.rows.received, "\(rows) rows of \(batch.rows.received) are done")
    }
    if let scheduled {
      let uncut = batch.rows.uncut.reduce(0) { $0 + UInt64($1.chunk.rows) }
      check(
        scheduled.addedRows + uncut == batch.rows.stored,
        "\(scheduled.addedRows) rows are in jobs, \(uncut) are uncut, and \(batch.rows.stored) are stored")
      check(
        !batch.isKept || batch.results.queue.endRow == scheduled.nextRow, "its results end at another row than its jobs"
      )
    }
    batch.rows.checkInvariants(check)
    batch.journal.checkInvariants(isKept: batch.isKept, check)
    batch.results.queue.checkInvariants(check)
  }

  private func checkClients(_ check: Check) {
    for (client, id) in state.batchesByClient {
      check(state.batches[id]?.client.connection?.id == client, "a client that was replaced is still listed")
    }
    for client in state.uploads.keys {
      check(state.batchesByClient[client] == nil, "a client sends the program of a batch that it has")
    }
  }

  private func checkWorkers(_ check: Check) {
    check(state.workers.count == state.workersByIdentity.count, "a worker is listed in one list only")
    check(Set(state.workers.keys) == Set(state.scheduler.workers.keys), "the scheduler has other workers")
    let processes = state.workers.values.compactMap(\.ownProcess)
    check(Set(processes).count == processes.count, "two workers have one process")
    for (id, worker) in state.workers {
      check(worker.id == id && id < state.nextWorker, "worker \(id) has another number")
      check(state.workersByIdentity[worker.identity] === worker, "worker \(id) is not found by its connection")
      check(worker.state.refusals < Self.maxRefusedReplies, "worker \(id) is still registered")
      let jobs = state.scheduler.worker(id)?.jobCount ?? 0
      check(worker.state.sent.count <= jobs, "worker \(id) has jobs that the scheduler does not list")
    }
  }

  private func checkJobs(_ check: Check) {
    check(Set(state.jobs.keys) == Set(state.scheduler.jobIDs), "the scheduler has other jobs")
    for (id, job) in state.jobs {
      let isProbe = job.chunk.rows == 0
      check(isProbe || state.batches[job.batch.id] === job.batch, "job \(id) has no batch")
      check(job.result.map { $0.rows == job.chunk.rows } != false, "job \(id) has the results of other rows")
      check(job.chunk.endRow <= job.batch.rows.received, "job \(id) has rows that were not received")
    }
  }

  private func checkPrograms(_ check: Check) {
    check(state.uploads.count <= Self.maxUploads, "\(state.uploads.count) clients send programs")
    let bytes = state.uploads.values.reduce(0) { $0 + $1.assembly.received }
    check(bytes <= ProtocolLimits.uploadBytes, "unfinished programs have \(bytes) bytes")
    check(state.programs.bytes <= ProtocolLimits.programBytesOfAll, "the programs have \(state.programs.bytes) bytes")
    for batch in state.batches.values where !batch.isKept && batch.isOpen {
      check(state.programs.contains(batch.description.program), "the program of batch \(batch.name) was removed")
    }
  }
}

extension BatchRows {
  fileprivate func checkInvariants(_ check: Check) {
    check(stored <= received, "\(stored) of \(received) rows are stored")
    check(!isStored || isComplete, "all rows are stored before the last was received")
    check(!isStored || stored == received, "the stored rows are not all rows")
    let chunks = uncut.map(\.chunk)
    check(
      zip(chunks, chunks.dropFirst()).allSatisfy { $0.endRow == $1.firstRow },
      "uncut chunks do not follow each other")
    check(chunks.last.map { $0.endRow == stored } != false, "the uncut chunks end before the stored rows")
    check(chunks.last?.isLast != true || isComplete, "the last chunk is there and the input is unknown")
    check(chunks.dropLast().allSatisfy { !$0.isLast }, "rows follow the last chunk")
    check(
      chunks.dropFirst().allSatisfy { if case .reading = $0.lines { false } else { true } },
      "a chunk is read that is not the next")
    check(underWay.isConsistent, "the bytes under way differ from their sum")
  }
}

extension BatchJournal {
  fileprivate func checkInvariants(isKept: Bool, _ check: Check) {
    check(isKept || (bytes == 0 && appends.count == 0 && reads.count == 0), "it has a journal and is not kept")
    check(rowBytes >= 0 && resultBytes >= 0, "its journal has a negative number of bytes")
    check(appends.isConsistent && reads.isConsistent, "its journal does something that is not queued")
    check(reads.count <= 2, "\(reads.count) reads of its journal wait")
  }
}

extension ResultQueue {
  fileprivate func checkInvariants(_ check: Check) {
    check(acknowledged <= sent && sent <= results.count, "\(acknowledged) results are acknowledged, \(sent) are sent")
    check(
      bytesUnderWay == results[acknowledged..<sent].reduce(0) { $0 + $1.bytes },
      "result bytes under way differ from their sum")
    // The client may have results from before a restart that the journal has lost. They were computed again.
    let new = results[..<sent].drop { $0.endRow <= firstMissingRow }
    check(new.allSatisfy { $0.stored != nil }, "results were sent that no journal has")
    check(new.allSatisfy { $0.columns == nil }, "columns that were sent are still in memory")
    check(
      zip(results, results.dropFirst()).allSatisfy { $0.endRow == $1.firstRow }, "results do not follow each other")
  }
}
