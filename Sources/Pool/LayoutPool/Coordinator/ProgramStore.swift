import PoolMessages
import ZeroMQ

/// The programs that batches use, and a few that lately were used: a client need not send again what is here.
public struct ProgramStore {
  /// Programs kept that no batch uses; one has some ten megabytes of fonts.
  private static let maxUnused = 4

  private struct Entry {
    let id: [UInt8]
    var frame: Frame
    /// Made when the first worker wants it.
    var shared: SharedProgram?
    /// Nanoseconds that a byte of rows took in the last batch, by how many variants it had.
    var costs: [Int: Double] = [:]
  }

  private var programs: [Entry] = []
  /// Those that are at hand whenever a coordinator starts, and need not be kept.
  private let given: Set<[UInt8]>

  public init() { given = [] }

  /// The program of a batch that a coordinator is made for.
  init(of request: BatchRequest) {
    programs = [Entry(id: request.programHash, frame: request.program)]
    given = [request.programHash]
  }

  func needsKeeping(_ id: [UInt8]) -> Bool { !given.contains(id) }

  subscript(id: [UInt8]) -> Frame? { programs.first { $0.id == id }?.frame }

  /// Where workers of this user and machine can read it; nil where the system has no such memory.
  mutating func place(of id: [UInt8]) -> PoolSharedBytes? {
    guard let entry = programs.firstIndex(where: { $0.id == id }) else { return nil }
    if programs[entry].shared == nil, let shared = SharedProgram(programs[entry].frame) {
      programs[entry].shared = shared
      programs[entry].frame = shared.frame
    }
    return programs[entry].shared?.place
  }

  mutating func add(_ program: Frame, _ id: [UInt8]) {
    if self[id] == nil { programs.append(Entry(id: id, frame: program)) }
  }

  /// Nanoseconds that a byte of rows takes, if such a batch was laid out before.
  func cost(of id: [UInt8], variants: Int) -> Double? { programs.first { $0.id == id }?.costs[variants] }

  mutating func note(_ cost: Double, of id: [UInt8], variants: Int) {
    guard let place = programs.firstIndex(where: { $0.id == id }) else { return }
    programs[place].costs[variants] = cost
  }

  var ids: Set<[UInt8]> { Set(programs.map(\.id)) }

  /// Forgets the unused ones beyond the newest few; whether there were any.
  mutating func trim(used: Set<[UInt8]>) -> Bool {
    let spare = Set(programs.filter { !used.contains($0.id) }.dropLast(Self.maxUnused).map(\.id))
    programs.removeAll { spare.contains($0.id) }
    return !spare.isEmpty
  }
}
