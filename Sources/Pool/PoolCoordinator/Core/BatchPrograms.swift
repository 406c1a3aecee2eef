import Buffers
import PoolMemory
import PoolProtocol

/// The programs that batches use, and a few recently used ones. A client sends only programs that are missing here.
struct BatchPrograms {
  /// The number of unused programs that are retained. A program can contain ten megabytes of fonts.
  private static let maxUnused = 4

  private struct Entry {
    let id: ProgramID
    var parts: [OwnedBytes]
    /// Whether the spool has it: the journal of a batch was created with it.
    var isStored = false
    /// Created when the first worker needs the program, or with the batch for a program that is given.
    var shared: SharedProgram?
    /// The nanoseconds that a byte of rows took in the last batch, by the number of its variants.
    var costs: [Int: Double] = [:]
  }

  private var programs: [Entry] = []
  /// The programs with which each coordinator starts. They are not stored in the spool.
  private let given: Set<ProgramID>

  /// Whether workers map the files that are mapped here; see `SharedProgram`.
  private var sharesFiles: Bool

  init(_ given: [(id: ProgramID, parts: [OwnedBytes])], sharesFiles: Bool) {
    programs = given.map { Entry(id: $0.id, parts: $0.parts) }
    self.given = Set(given.map(\.id))
    self.sharesFiles = sharesFiles
  }

  func isGiven(_ id: ProgramID) -> Bool { given.contains(id) }

  func contains(_ id: ProgramID) -> Bool { programs.contains { $0.id == id } }

  /// Returns the bytes of a program, which are joined the first time.
  mutating func bytes(of id: ProgramID) -> OwnedBytes? {
    guard let index = programs.firstIndex(where: { $0.id == id }) else { return nil }
    let bytes = OwnedBytes(joining: programs[index].parts)
    programs[index].parts = [bytes]
    return bytes
  }

  /// Returns a program as workers of this user and machine can read it; nil where the system has no memory.
  mutating func share(_ id: ProgramID, _ system: any MemorySystem) -> SharedProgram? {
    guard let index = programs.firstIndex(where: { $0.id == id }) else { return nil }
    if programs[index].shared == nil,
      let shared = SharedProgram(programs[index].parts, sharesFiles: sharesFiles, system)
    {
      programs[index].shared = shared
      programs[index].parts = shared.parts
    }
    return programs[index].shared
  }

  /// Has workers read copies of the files from now on, because one of them cannot map them.
  mutating func stopSharingFiles() {
    sharesFiles = false
    for index in programs.indices where programs[index].shared?.files.isEmpty == false { programs[index].shared = nil }
  }

  mutating func add(_ program: OwnedBytes, _ id: ProgramID) {
    if !contains(id) { programs.append(Entry(id: id, parts: [program])) }
  }

  mutating func noteStored(_ id: ProgramID) {
    if let index = programs.firstIndex(where: { $0.id == id }) { programs[index].isStored = true }
  }

  /// Returns the nanoseconds per byte of rows in the last batch with this program and as many variants; nil if there was none.
  func cost(of id: ProgramID, variants: Int) -> Double? { programs.first { $0.id == id }?.costs[variants] }

  mutating func note(_ cost: Double, of id: ProgramID, variants: Int) {
    guard let index = programs.firstIndex(where: { $0.id == id }) else { return }
    programs[index].costs[variants] = cost
  }

  /// The bytes of the programs that are stored with batches.
  var storedBytes: Int { programs.reduce(0) { $0 + storedBytes(of: $1.id) } }

  func storedBytes(of ids: Set<ProgramID>) -> Int { ids.reduce(0) { $0 + storedBytes(of: $1) } }

  func storedBytes(of id: ProgramID) -> Int { given.contains(id) ? 0 : byteCount(of: id) ?? 0 }

  func byteCount(of id: ProgramID) -> Int? { programs.first { $0.id == id }?.parts.byteCount }

  /// The bytes of all programs.
  var bytes: Int { programs.reduce(0) { $0 + $1.parts.byteCount } }

  var ids: Set<ProgramID> { Set(programs.map(\.id)) }

  /// Removes a program that the spool does not have and coordinators do not start with. Returns whether there was one.
  mutating func removeUnstored(_ id: ProgramID) -> Bool {
    guard !given.contains(id), let index = programs.firstIndex(where: { $0.id == id }), !programs[index].isStored else {
      return false
    }
    programs.remove(at: index)
    return true
  }

  /// Removes the unused programs beyond the newest ones. Returns whether there were any.
  mutating func trim(used: Set<ProgramID>, keeping count: Int = maxUnused) -> Bool {
    let spare = Set(programs.filter { !used.contains($0.id) && !given.contains($0.id) }.dropLast(count).map(\.id))
    programs.removeAll { spare.contains($0.id) }
    return !spare.isEmpty
  }
}
