import Buffers
import Glibc
import Hashing
import PoolCoordinatorCore
import PoolEnvelopes
import PoolProtocol
import Processes

/// A directory in which a coordinator keeps batches, so that they survive its own end and that of their clients. It contains
/// one journal per batch, and their programs; other files are kept.
public final class Spool {
  private static let suffix = BatchName.journalSuffix
  private static let damaged = BatchName.damagedSuffix
  private static let partial = ".partial"

  let path: String
  private let lock: Int32

  /// Creates the directory if it does not exist.
  ///
  /// - Throws: when it cannot be used, or another coordinator uses it.
  public init(_ path: String) throws(JournalError) {
    self.path = path
    for directory in [path, path + "/programs"] where mkdir(directory, 0o700) != 0 && errno != EEXIST {
      throw JournalError(directory, errno: errno)
    }
    lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard lock >= 0 else { throw JournalError(path, errno: errno) }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      throw JournalError(path, reason: "is in use by another run; wait for its end, or name another directory")
    }
  }

  deinit { close(lock) }

  /// The names of the kept batches, in the order of their numbers.
  public var batches: [String] { batches(withSuffix: Self.suffix) }

  /// The names of the batches whose journals were set aside.
  var batchesSetAside: [String] { batches(withSuffix: Self.suffix + Self.damaged) }

  /// The size of a journal that was set aside; 0 if it is unknown.
  func bytesSetAside(of batch: String) -> Int {
    var status = stat()
    return stat(journalPath(of: batch) + Self.damaged, &status) == 0 ? Int(status.st_size) : 0
  }

  private func batches(withSuffix suffix: String) -> [String] {
    names(in: path).filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }
      .sorted { ($0.count, $0) < ($1.count, $1) }
  }

  /// Whether a kept batch has another program or other variants.
  public func keepsOther(than batch: BatchDescription) throws(JournalError) -> Bool {
    guard let name = batches.first, let kept = try JournalFile(journalPath(of: name)).batch() else {
      return false
    }
    return kept.program != batch.program || kept.variants != batch.variants
  }

  /// Whether the directory is the spool of a coordinator: it has programs, which a run does not store, or a batch whose rows nobody
  /// sends again.
  public var isOfCoordinator: Bool {
    !programs.isEmpty
      || batches.contains { (try? JournalFile(journalPath(of: $0)).batch())??.resendsRows == false }
  }

  func journalPath(of batch: String) -> String { "\(path)/\(batch)\(Self.suffix)" }

  /// Removes a journal, also one that was set aside.
  func remove(_ batch: String) {
    unlink(journalPath(of: batch))
    unlink(journalPath(of: batch) + Self.damaged)
  }

  /// Renames an unusable journal, so that people can examine it.
  func setAside(_ batch: String) { rename(journalPath(of: batch), journalPath(of: batch) + Self.damaged) }

  // MARK: Programs

  /// Stores a program, unless it is stored already.
  func store(_ program: OwnedBytes, _ id: ProgramID) throws(JournalError) {
    let final = programPath(id)
    guard access(final, F_OK) != 0 else { return }
    let temporary = final + Self.partial
    unlink(temporary)
    // The directory is missing where people have created the spool again.
    mkdir(path + "/programs", 0o700)
    do throws(JournalError) {
      let file = try JournalFile(creating: temporary)
      try file.write([program])
      try file.synchronize()
      guard rename(temporary, final) == 0 else { throw JournalError(final, errno: errno) }
      try JournalFile.synchronizeDirectory(of: final)
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Returns nil for a missing or a damaged program. A damaged one is of no use and is removed, so that the program can be stored again.
  func program(_ id: ProgramID) throws(JournalError) -> OwnedBytes? {
    let path = programPath(id)
    let file: JournalFile
    do throws(JournalError) { file = try JournalFile(path) } catch {
      if error.canPass { throw error }
      return nil
    }
    let program = try file.read(0..<file.size)
    guard program.withBytes({ SHA256.hash($0) }) == id else {
      unlink(path)
      return nil
    }
    return program
  }

  func removePrograms(except ids: Set<ProgramID>) {
    let kept = Set(ids.map { hexadecimal($0) })
    for name in programs where !kept.contains(name) {
      unlink("\(path)/programs/\(name)")
    }
  }

  /// The files of programs, whose names are hashes of 32 bytes. People may keep others beside them. Version 0.5.0 and before renamed
  /// damaged ones.
  private var programs: [String] {
    names(in: path + "/programs").filter { name in
      let id = name.prefix { $0.isHexDigit }
      return id.count == 64 && ["", Self.partial, Self.damaged].contains(String(name.dropFirst(id.count)))
    }
  }

  private func programPath(_ id: ProgramID) -> String { "\(path)/programs/\(hexadecimal(id))" }

  private func names(in path: String) -> [String] { DirectoryListing.names(in: path) ?? [] }

  public func removeBatches() {
    for batch in batches { removeOwn(journalPath(of: batch)) }
    removePrograms(except: [])
  }

  /// Removes a file that begins as a journal, or to which nothing was written.
  private func removeOwn(_ path: String) {
    guard let file = try? JournalFile(path),
      let beginning = try? file.read(0..<min(file.size, JournalFormat.headerSize)),
      beginning.withBytes({ JournalFormat.canBegin(with: $0) })
    else { return }
    unlink(path)
  }

  /// Removes the directory and all files that a coordinator wrote there.
  public func removeAll() {
    removeBatches()
    for batch in batchesSetAside { removeOwn(journalPath(of: batch) + Self.damaged) }
    for name in programs { unlink("\(path)/programs/\(name)") }
    rmdir(path + "/programs")
    rmdir(path)
  }
}
