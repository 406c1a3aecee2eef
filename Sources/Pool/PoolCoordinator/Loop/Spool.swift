import Buffers
import Glibc
import Hashing
import Files
import PoolProtocol

/// A directory in which a coordinator keeps batches, so that neither its own end nor their clients' loses them: one
/// journal per batch, and the programs that they need.
public final class Spool {
  private static let suffix = ".journal"
  private static let damaged = ".damaged"

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
      throw JournalError(path, reason: "is in use by another run")
    }
  }

  deinit { close(lock) }

  /// The names of the kept batches, in the order of their numbers.
  public var batches: [String] {
    names(in: path).filter { $0.hasSuffix(Self.suffix) }.map { String($0.dropLast(Self.suffix.count)) }
      .sorted { ($0.count, $0) < ($1.count, $1) }
  }

  /// Whether a batch is kept that has another program or other variants.
  public func keepsOther(than batch: BatchDescription) throws(JournalError) -> Bool {
    guard let name = batches.first, let kept = try JournalFile(journalPath(of: name), creating: false).batch() else {
      return false
    }
    return kept.program != batch.program || kept.variants != batch.variants
  }

  func journalPath(of batch: String) -> String { "\(path)/\(batch)\(Self.suffix)" }

  func remove(_ batch: String) { unlink(journalPath(of: batch)) }

  /// Renames a journal that cannot be used, so that people can look at it.
  func setAside(_ batch: String) { rename(journalPath(of: batch), journalPath(of: batch) + Self.damaged) }

  // MARK: Programs

  /// Stores a program, unless it is stored already.
  func store(_ program: OwnedBytes, _ id: ProgramID) throws(JournalError) {
    let final = programPath(id)
    guard access(final, F_OK) != 0 else { return }
    let temporary = final + ".partial"
    unlink(temporary)
    let file = try JournalFile(temporary, creating: true)
    try file.write([program])
    try file.synchronize()
    guard rename(temporary, final) == 0 else { throw JournalError(final, errno: errno) }
  }

  func program(_ id: ProgramID) throws(JournalError) -> OwnedBytes {
    let file = try JournalFile(programPath(id), creating: false)
    let program = try file.read(JournalRange(offset: 0, count: file.size))
    guard program.withBytes({ SHA256.hash($0) }) == id else {
      throw JournalError(programPath(id), reason: "is damaged")
    }
    return program
  }

  /// Removes all programs but these.
  func removePrograms(except ids: Set<ProgramID>) {
    let kept = Set(ids.map { hexadecimal($0) })
    for name in names(in: path + "/programs") where !kept.contains(name) { unlink("\(path)/programs/\(name)") }
  }

  private func programPath(_ id: ProgramID) -> String { "\(path)/programs/\(hexadecimal(id))" }

  private func names(in path: String) -> [String] { DirectoryListing.names(in: path) ?? [] }

  public func removeBatches() {
    for batch in batches { remove(batch) }
    removePrograms(except: [])
  }

  /// Removes the directory with everything that a coordinator wrote there.
  public func removeAll() {
    removeBatches()
    for name in names(in: path) where name.hasSuffix(Self.suffix + Self.damaged) { unlink("\(path)/\(name)") }
    rmdir(path + "/programs")
    rmdir(path)
  }
}
