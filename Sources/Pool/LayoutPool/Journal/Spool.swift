import Glibc
import LayoutTables
import ZeroMQ

/// A directory in which a coordinator keeps batches, so that neither its own end nor their clients' loses them: a
/// journal a batch, and the programs that they need.
public final class Spool {
  private static let suffix = ".journal"
  private static let damaged = ".damaged"

  let path: String
  private let lock: Int32

  /// Makes the directory if it is not there.
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

  /// Names of the batches that are kept, in the order in which they came.
  public var batches: [String] {
    names(in: path).filter { $0.hasSuffix(Self.suffix) }.map { String($0.dropLast(Self.suffix.count)) }
      .sorted { ($0.count, $0) < ($1.count, $1) }
  }

  /// Whether it keeps a batch, and that is of another program or other variants.
  public func keepsOther(than request: BatchRequest) throws(JournalError) -> Bool {
    guard let name = batches.first,
      case .batch(let kept)? = try JournalFile(journalPath(of: name), creating: false).firstRecord()?.record
    else { return false }
    return !request.asks(for: kept.program, in: kept.variants)
  }

  func journalPath(of batch: String) -> String { "\(path)/\(batch)\(Self.suffix)" }

  func remove(_ batch: String) { unlink(journalPath(of: batch)) }

  /// A journal that cannot be used is put aside, for people to look at.
  func putAside(_ batch: String) { rename(journalPath(of: batch), journalPath(of: batch) + Self.damaged) }

  // MARK: Programs

  func keep(_ program: Frame, _ id: [UInt8]) throws(JournalError) {
    let final = programPath(id)
    guard access(final, F_OK) != 0 else { return }
    let temporary = final + ".partial"
    unlink(temporary)
    let file = try JournalFile(temporary, creating: true)
    try file.write([program])
    try file.synchronize()
    guard rename(temporary, final) == 0 else { throw JournalError(final, errno: errno) }
  }

  func program(_ id: [UInt8]) throws(JournalError) -> Frame {
    let file = try JournalFile(programPath(id), creating: false)
    let program = try file.read(JournalFile.Place(offset: 0, count: file.size))
    guard SHA256.hash(program.bytes) == id else { throw JournalError(programPath(id), reason: "is damaged") }
    return program
  }

  /// Removes the programs that none of these are.
  func removePrograms(except ids: Set<[UInt8]>) {
    let kept = Set(ids.map { hexadecimal($0) })
    for name in names(in: path + "/programs") where !kept.contains(name) { unlink("\(path)/programs/\(name)") }
  }

  private func programPath(_ id: [UInt8]) -> String { "\(path)/programs/\(hexadecimal(id))" }

  private func names(in path: String) -> [String] { DirectoryListing.names(in: path) ?? [] }

  public func removeBatches() {
    for batch in batches { remove(batch) }
    removePrograms(except: [])
  }

  /// Removes the directory with all that a coordinator put there.
  public func removeAll() {
    removeBatches()
    for name in names(in: path) where name.hasSuffix(Self.suffix + Self.damaged) { unlink("\(path)/\(name)") }
    rmdir(path + "/programs")
    rmdir(path)
  }
}
