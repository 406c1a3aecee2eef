import Buffers
import PoolCoordinatorCore
import PoolProtocol
import PoolScheduler

/// The journals of a spool, as the effects of a coordinator's core use them.
final class Journals {
  private let spool: Spool
  private var files: [BatchID: JournalFile] = [:]

  init(_ spool: Spool) { self.spool = spool }

  /// Reads all journals.
  func recover() -> [RecoveredBatch] {
    spool.batches.compactMap { name in
      guard let id = BatchID(name, radix: 36) else { return nil }
      do throws(JournalError) {
        let file = try JournalFile(spool.journalPath(of: name), creating: false)
        let contents = try file.contents()
        files[id] = file
        let program: OwnedBytes?
        do { program = try contents.batch.map { try spool.program($0.description.program) } } catch { program = nil }
        return RecoveredBatch(id, contents, program: program)
      } catch {
        return RecoveredBatch(id, JournalContents(), program: nil, failure: error.reason)
      }
    }
  }

  /// Performs an effect that concerns journals. Returns what comes of it, if the core waits for that.
  func perform(_ effect: CoordinatorEffect) -> CoordinatorEvent? {
    switch effect {
    case .createJournal(let batch, let description, let program):
      return report(batch) { () throws(JournalError) in
        if let program { try spool.store(program, description.program) }
        let file = try JournalFile(spool.journalPath(of: name(batch)), creating: true)
        _ = try file.append(.batch(version: Version.current, description))
        files[batch] = file
        return .journalCreated(batch)
      }
    case .append(let batch, let record, let synchronizes):
      guard let file = files[batch] else { return nil }
      return report(batch) { () throws(JournalError) in
        let ranges = try file.append(record)
        if synchronizes { try file.synchronize() }
        return .appended(batch, ranges)
      }
    case .read(let batch, let ranges):
      guard let file = files[batch] else { return nil }
      return report(batch) { () throws(JournalError) in
        var parts: [OwnedBytes] = []
        for range in ranges { parts.append(try file.read(range)) }
        return .read(batch, parts)
      }
    case .removeJournal(let batch):
      files.removeValue(forKey: batch)
      spool.remove(name(batch))
    case .setAsideJournal(let batch):
      files.removeValue(forKey: batch)
      spool.setAside(name(batch))
    case .removePrograms(let ids): spool.removePrograms(except: ids)
    default: break
    }
    return nil
  }

  private func report(_ batch: BatchID, _ body: () throws(JournalError) -> CoordinatorEvent) -> CoordinatorEvent {
    do throws(JournalError) { return try body() } catch {
      return .journalFailed(batch, reason: error.description)
    }
  }

  private func name(_ batch: BatchID) -> String { String(batch, radix: 36) }
}
