import Buffers
import Hashing
import PoolProtocol

/// The worker requests a program from the coordinator before the first job that needs it.
extension WorkerCore {
  mutating func fetch(_ program: ProgramID, isInvisible: Bool = false) {
    activity = .fetching(program)
    // Parts of the same program from a lost connection are retained.
    var assembly = self.assembly?.id == program ? self.assembly ?? ProgramAssembly(program) : ProgramAssembly(program)
    let request = assembly.request(isInvisible: isInvisible)
    self.assembly = assembly
    send(.programWanted(request))
  }

  /// Adds a part of the program that the next job needs, or the whole program.
  mutating func take(_ part: MessageToWorker.ProgramPart, _ bytes: OwnedBytes?) {
    guard case .fetching(let program) = activity, part.program == program else { return }
    if let range = part.shared {
      guard let shared = channel.program(range, part.files) else {
        return fetch(program, isInvisible: true)
      }
      return load(shared, program)
    }
    switch assembly?.add(bytes ?? .empty, at: part.offset, ofSize: part.size) {
    case .wait, nil: break
    case .ask(let request): send(.programWanted(request))
    case .complete(let bytes):
      if bytes.withBytes({ SHA256.hash($0) }) == program { return load([bytes], program) }
      log(.warning, "a program was damaged on its way: it differs from its checksum")
      returnJob()
    // The batch is over, and its program was removed.
    case .refuse: returnJob()
    }
  }

  /// Returns the job whose program the worker cannot receive.
  private mutating func returnJob() {
    (activity, assembly) = (.idle, nil)
    guard case .job(let job)? = inbox.popFirst()?.message else { return }
    send(.missing(job.reference, isInvisible: false))
  }

  private mutating func load(_ parts: [OwnedBytes], _ program: ProgramID) {
    (activity, assembly) = (.idle, nil)
    if programs.count == ProtocolLimits.programsOfWorker { emit(.unload(programs.removeFirst())) }
    programs.append(program)
    emit(.load(program, parts))
  }
}
