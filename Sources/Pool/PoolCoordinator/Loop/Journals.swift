import Buffers
import Glibc
import PoolCoordinatorCore
import PoolProtocol
import PoolScheduler

/// Carries out the effects of a coordinator's core on the journals of a spool. A file is opened when it is needed, and recently
/// used files remain open.
final class Journals {
  private let spool: Spool
  /// The number of files that stay open.
  private let maxOpenFiles: Int
  /// The open files in the order of their last use.
  private var files: [(batch: BatchID, file: JournalFile)] = []
  /// The size of the records in each journal.
  private var sizes: [BatchID: Int] = [:]

  init(_ spool: Spool, maxOpenFiles: Int = 32) { (self.spool, self.maxOpenFiles) = (spool, maxOpenFiles) }

  // MARK: Recovery

  /// Reads all journals.
  func recover() -> [RecoveredBatch] {
    let setAside = spool.batchesSetAside.compactMap { name in
      BatchName.id(name).map { RecoveredBatch($0, .setAside, bytes: spool.bytesSetAside(of: name)) }
    }
    var programs: [ProgramID: OwnedBytes] = [:]
    return setAside + spool.batches.compactMap { BatchName.id($0).map { recover($0, &programs) } }
  }

  /// - Parameter programs: The programs that were read for other batches.
  private func recover(_ batch: BatchID, _ programs: inout [ProgramID: OwnedBytes]) -> RecoveredBatch {
    do throws(JournalError) {
      let file = try JournalFile(path(of: batch))
      let contents = try file.contents()
      sizes[batch] = file.size
      if let program = contents.batch?.description.program, programs[program] == nil {
        programs[program] = try spool.program(program)
      }
      let program = contents.batch.flatMap { programs[$0.description.program] }
      return RecoveredBatch(batch, .read(contents, program: program, age: file.age), bytes: file.size)
    } catch {
      return RecoveredBatch(batch, .unreadable(reason: error.description), bytes: sizes[batch] ?? 0)
    }
  }

  // MARK: Effects

  /// Carries out an effect on journals. Returns the resulting event, if the core waits for one.
  func perform(_ effect: JournalEffect) -> CoordinatorEvent? {
    switch effect {
    case .createJournal(let batch, let description, let program):
      return report(.create, batch) { () throws(JournalError) in
        if let program { try spool.store(program, description.program) }
        let file = try JournalFile(creating: path(of: batch))
        _ = try file.append(.batch(.current, description))
        keep(file, of: batch)
        return .journalCreated(batch, bytes: file.size)
      }
    case .append(let batch, let record, let synchronizes):
      return report(.append, batch) { () throws(JournalError) in
        let file = try file(of: batch)
        let ranges = try file.append(record, synchronizes: synchronizes)
        sizes[batch] = file.size
        return .appended(batch, ranges, bytes: file.size)
      }
    case .read(let batch, let ranges):
      return report(.read, batch) { () throws(JournalError) in
        let file = try file(of: batch)
        var parts: [OwnedBytes] = []
        for range in ranges { parts.append(try file.read(range)) }
        return .read(batch, parts)
      }
    case .recoverJournal(let batch):
      var programs: [ProgramID: OwnedBytes] = [:]
      return .recovered([recover(batch, &programs)])
    case .removeJournal(let batch):
      forget(batch)
      spool.remove(BatchName.text(batch))
    case .setAsideJournal(let batch):
      forget(batch)
      spool.setAside(BatchName.text(batch))
    case .removePrograms(let ids): spool.removePrograms(except: ids)
    }
    return nil
  }

  private func report(
    _ operation: JournalOperation, _ batch: BatchID, _ body: () throws(JournalError) -> CoordinatorEvent
  ) -> CoordinatorEvent {
    do throws(JournalError) { return try body() } catch {
      return .journalFailed(batch, operation, reason: error.description, canPass: error.canPass)
    }
  }

  // MARK: Files

  private func file(of batch: BatchID) throws(JournalError) -> JournalFile {
    if let last = files.last, last.batch == batch { return last.file }
    if let index = files.lastIndex(where: { $0.batch == batch }) {
      files.append(files.remove(at: index))
      return files[files.count - 1].file
    }
    let file = try JournalFile(path(of: batch), size: sizes[batch])
    keep(file, of: batch)
    return file
  }

  private func keep(_ file: JournalFile, of batch: BatchID) {
    sizes[batch] = file.size
    files.append((batch, file))
    if files.count > maxOpenFiles { files.removeFirst() }
  }

  private func forget(_ batch: BatchID) {
    sizes[batch] = nil
    files.removeAll { $0.batch == batch }
  }

  private func path(of batch: BatchID) -> String { spool.journalPath(of: BatchName.text(batch)) }
}
