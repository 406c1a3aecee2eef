@testable import LayoutPool

/// What worker processes do.
extension PoolSimulation {
  /// A worker begins its next job, gets on with it, or ends it.
  func work(_ place: Int) {
    guard let order = workers[place].current else { return begin(place) }
    if workers[place].delay > 0 {
      workers[place].delay -= 1
    } else if let row = order.lines.range.first(where: { batches[Int(order.lines.batch) - 1].poisons[$0] != nil }) {
      suffer(place, batches[Int(order.lines.batch) - 1].poisons[row] ?? .deadly)
    } else {
      workers[place].current = nil
      answer(place, order)
    }
  }

  private func begin(_ place: Int) {
    let order = workers[place].orders.removeFirst()
    if workers[place].lacksProgram {
      workers[place].lacksProgram = false
      workers[place].words.append(.missing(order.job, order.attempt))
      return
    }
    workers[place].words.append(.started(order.job, order.attempt))
    workers[place].current = order
    workers[place].delay = workers[place].slowness
  }

  private func suffer(_ place: Int, _ poison: SimulatedPoison) {
    note("worker \(workers[place].name) comes to a row that is \(poison)")
    hasLosses = true
    if let worker = workerIDs[workers[place].name] { poisoned.insert(worker) }
    switch poison {
    case .deadly: workers[place].die(losing: random.below(4))
    case .endless: workers[place].hangsUntil = .max
    }
  }

  private func answer(_ place: Int, _ order: SimulatedOrder) {
    var records: [SimulatedRecord]? = order.lines.records
    var (job, attempt, duration) = (order.job, order.attempt, UInt64(random.below(longestJob)))
    switch workers[place].lie {
    case .rowsTooMany?: records?.append(.lost)
    case .noTable?: records = nil
    case .otherAttempt?: attempt += UInt32(random.below(3))
    // Under the attempt of another job of its own, rows of the same number could not be told from that job's.
    case .otherJob?: (job, attempt) = (JobID(random.below(Int(scheduler.nextJobID))), 0)
    case .longDuration?: duration = .max
    case .twice?: workers[place].words.append(.result(job, attempt, records, duration: duration))
    case nil: break
    }
    workers[place].lie = nil
    workers[place].words.append(.result(job, attempt, records, duration: duration))
  }

  /// Counts for the rows that a worker had alone that it went, if none of its rows was why.
  func noteMisfortunes(_ worker: WorkerID, _ name: Int) {
    let rows = sentAlone.removeValue(forKey: worker) ?? []
    guard poisoned.remove(worker) == nil else { return }
    for lines in rows { batches[Int(lines.batch) - 1].misfortunes[lines.firstRow, default: 0] += 1 }
  }
}
