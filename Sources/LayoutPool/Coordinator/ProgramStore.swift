import ZeroMQ

/// The programs that batches use, and a few that lately were used: a client need not send again what is here.
struct ProgramStore {
  /// Programs kept that no batch uses; one has some ten megabytes of fonts.
  private static let maxUnused = 4

  private var programs: [(id: [UInt8], frame: Frame)] = []

  subscript(id: [UInt8]) -> Frame? { programs.first { $0.id == id }?.frame }

  mutating func add(_ program: Frame, _ id: [UInt8]) {
    if self[id] == nil { programs.append((id, program)) }
  }

  /// Forgets the unused ones beyond the newest few.
  mutating func trim(used: Set<[UInt8]>) {
    var spare = programs.filter { !used.contains($0.id) }.dropLast(Self.maxUnused).map(\.id)[...]
    while let id = spare.popFirst() { programs.removeAll { $0.id == id } }
  }
}
