import Buffers
import Hashing
import LayoutEngine
import PoolMemory
import PoolProtocol
import Testing

@testable import PoolWorkerCore

/// Tests of the effects that a worker's core returns for events.
@Suite final class WorkerCoreTests {
  private var worker = WorkerCore(
    .init(session: 5), endpoint: "ipc://pool", memoryLimit: 1000, memory: NoMemory(),
    at: EventTime(monotonic: 0))

  /// The time of the last event in milliseconds.
  private var time: UInt64 = 0

  /// The bytes of programs by their numbers, where they are not 10.
  private var sizes: [UInt8: Int] = [:]

  private func id(of program: UInt8) -> ProgramID {
    [UInt8](repeating: program, count: sizes[program] ?? 10).withUnsafeBytes { SHA256.hash($0) }
  }

  private func number(of id: ProgramID) -> UInt8 { (1..<20).first { self.id(of: $0) == id } ?? 0 }

  /// Reports an event at a time in milliseconds. Returns descriptions of its effects.
  private func handle(_ event: WorkerEvent, at milliseconds: UInt64 = 0) -> [String] {
    effects(event, at: milliseconds).filter { !$0.hasPrefix("info") }
  }

  /// Reports an event at a time in milliseconds, after ticks each second. Returns descriptions of its effects and log lines.
  private func effects(_ event: WorkerEvent, at milliseconds: UInt64) -> [String] {
    while time + 1000 < milliseconds { _ = effectsAfterPause(.tick, at: time + 1000) }
    return effectsAfterPause(event, at: milliseconds)
  }

  /// Reports an event at a time in milliseconds, without an event since the last one.
  private func effectsAfterPause(_ event: WorkerEvent, at milliseconds: UInt64) -> [String] {
    time = max(time, milliseconds)
    var effects: [WorkerEffect] = []
    worker.handle(event, at: EventTime(monotonic: milliseconds * 1_000_000), into: &effects)
    return effects.map { describe($0) }
  }

  private func describe(_ effect: WorkerEffect) -> String {
    switch effect {
    case .send(let message, let parts): describe(message, parts)
    case .load(let id, _): "load \(number(of: id))"
    case .unload(let id): "unload \(number(of: id))"
    case .layOut(let job, _): "lay out \(job.reference.job)"
    case .log(let level, let message): "\(level): \(message)"
    case .end(let end): "end \(end)"
    }
  }

  private func describe(_ message: WorkerMessage, _ parts: [OwnedBytes]) -> String {
    switch message {
    case .hello: "hello"
    case .started(let job): "started \(job.job)"
    case .result(let result):
      "result \(result.job.job) in \(parts.count) parts" + (result.next.map { ", next \($0.job)" } ?? "")
    case .missing(let job, let isInvisible): "missing \(job.job)\(isInvisible ? ", invisible" : "")"
    case .failure(let job, let reason): "failure \(job.job): \(reason)"
    case .programWanted(let request):
      "want \(number(of: request.program)) at \(request.offset >> 10) KiB\(request.isInvisible ? ", invisible" : "")"
    case .tooLarge(let job): "too large \(job.job)"
    case .goodbye: "goodbye"
    case .alive: "alive"
    }
  }

  /// Reports a job, and its program if the worker asks for that. Returns the effects behind the request.
  private func begin(_ number: UInt64, program: UInt8 = 1) -> [String] {
    let effects = handle(job(number, program: program))
    return effects == ["want \(program) at 0 KiB"] ? handle(part(of: program)) : effects
  }

  /// Returns the message with a part of a program.
  private func part(of program: UInt8, at offset: Int = 0, count: Int = 10, byte: UInt8? = nil) -> WorkerEvent {
    .message(
      .program(.init(id(of: program), size: UInt64(sizes[program] ?? 10), offset: UInt64(offset))),
      [OwnedBytes(copying: [UInt8](repeating: byte ?? program, count: count))])
  }

  /// Returns the message of a job with its lines.
  private func job(_ number: UInt64, program: UInt8 = 1, checksum: UInt64? = nil) -> WorkerEvent {
    let lines = OwnedBytes(copying: Array("{}\n".utf8))
    let job = MessageToWorker.Job(
      JobReference(number, attempt: 1),
      setup: JobSetup(program: id(of: program), variants: [Variant(width: 390, textScale: 1, scale: 1)]),
      chunk: RowsChunk(nil, firstLine: 1, firstRow: 0, rows: 1), deadline: 10, checksum: checksum ?? lines.checksum)
    return .message(.job(job), [lines])
  }

  /// Returns the event of the results of a job whose columns have these sizes.
  private func laidOut(_ number: UInt64, sizes: [Int] = [3]) -> WorkerEvent {
    let result = WorkerMessage.Result(
      job: JobReference(number, attempt: 1), rows: 1, duration: 1000, cacheHitRate: 0)
    return .laidOut(result, sizes: sizes) { _, start in
      for offset in 0..<3 { start.storeBytes(of: UInt8(offset), toByteOffset: offset, as: UInt8.self) }
    }
  }

  @Test func anIdleWorkerRepliesToPingsOnceASecond() {
    #expect(handle(.message(.ping, []), at: 1000) == ["alive"])
    #expect(handle(.message(.ping, []), at: 1999) == [])
    #expect(handle(.message(.ping, []), at: 2000) == ["alive"])
  }

  @Test func aWorkerThatWaitsForACoordinatorDoesNotGiveUp() {
    worker = WorkerCore(
      .init(session: 5), endpoint: "ipc://pool", waits: true, memory: NoMemory(),
      at: EventTime(monotonic: 0))
    for seconds in stride(from: UInt64(2), through: 3600, by: 2) {
      #expect(handle(.tick, at: seconds * 1000) == ["hello"])
    }
  }

  @Test func aJobWithDamagedLinesIsReturned() {
    #expect(
      begin(1) == ["load 1", "started 1", "lay out 1"] && handle(laidOut(1)) == ["result 1 in 1 parts"])
    let warning = "warning: the lines of a job were damaged on their way: they differ from their checksum"
    #expect(handle(job(2, checksum: 3)) == [warning, "missing 2"])
    #expect(handle(job(3)) == ["started 3", "lay out 3"])
  }

  @Test func aJobWhoseProgramIsDamagedIsReturned() {
    #expect(handle(job(1)) == ["want 1 at 0 KiB"])
    let warning = "warning: a program was damaged on its way: it differs from its checksum"
    #expect(handle(part(of: 1, byte: 2)) == [warning, "missing 1"])
    #expect(begin(2) == ["load 1", "started 2", "lay out 2"])
  }

  @Test func theWorkerRegistersAgainAfterSilence() {
    #expect(handle(.started) == ["hello"])
    #expect(handle(.tick, at: 1900) == [])
    #expect(handle(.tick, at: 2000) == ["hello"])
    #expect(handle(.tick, at: 3900) == [])
    #expect(handle(.tick, at: 4000) == ["hello"])
    #expect(handle(.message(.ping, []), at: 4500) == ["alive"])
    #expect(handle(.tick, at: 6400) == [])
    #expect(handle(.tick, at: 6500) == ["hello"])
  }

  @Test func theWorkerReportsThatItHasFoundAndLostTheCoordinator() {
    #expect(effects(.tick, at: 2000) == ["hello"])
    #expect(effects(.message(.ping, []), at: 2500) == ["info: connected to the coordinator at ipc://pool", "alive"])
    #expect(effects(.message(.ping, []), at: 2600) == [])
    #expect(
      effects(.tick, at: 4600) == [
        "info: lost the coordinator at ipc://pool: no message for 2 s; the worker registers again", "hello",
      ])
    #expect(effects(.tick, at: 6600) == ["hello"])
    #expect(
      effects(.message(.ping, []), at: 7000) == ["info: connected to the coordinator at ipc://pool again", "alive"])
  }

  @Test func theWorkerEndsAfterTheTimeoutOfASilentCoordinator() {
    #expect(handle(.tick, at: 29_900) == [])
    #expect(handle(.tick, at: 30_000) == ["end coordinatorGone"])
    #expect(handle(job(1), at: 30_001) == [])
  }

  /// A worker that was stopped reads the pings of its pause only after its first tick.
  @Test func theWorkersOwnPauseIsNoSilenceOfTheCoordinator() {
    #expect(handle(.message(.ping, []), at: 100) == ["alive"])
    #expect(effectsAfterPause(.tick, at: 60_000) == [])
    #expect(handle(.message(.ping, []), at: 60_010) == ["alive"])
    #expect(handle(.tick, at: 90_000) == [])
    #expect(handle(.tick, at: 90_010) == ["end coordinatorGone"])
  }

  @Test func theTimeoutDoesNotApplyDuringALongJob() {
    _ = begin(1)
    #expect(handle(.tick, at: 60_000) == [])
    #expect(handle(laidOut(1), at: 60_001) == ["result 1 in 1 parts"])
    #expect(handle(.tick, at: 61_000) == [])
  }

  @Test func aResultNamesTheNextJob() {
    #expect(begin(1) == ["load 1", "started 1", "lay out 1"])
    #expect(handle(job(2)) == [], "the first job is being laid out")
    #expect(handle(laidOut(1)) == ["result 1 in 1 parts, next 2", "lay out 2"])
    #expect(handle(laidOut(2)) == ["result 2 in 1 parts"])
    #expect(handle(job(3)) == ["started 3", "lay out 3"])
  }

  @Test func theWorkerAsksForAProgramInParts() {
    let (window, size) = (ProtocolLimits.programWindow, ProtocolLimits.programWindow * 5 / 4)
    let half = window / 2
    sizes[1] = size
    #expect(handle(job(1)) == ["want 1 at 0 KiB"])
    #expect(handle(job(2, program: 2)) == [], "the first job waits for its program")
    #expect(handle(part(of: 2)) == [], "nobody asked for that program")
    #expect(handle(part(of: 1, at: 0, count: half)) == ["want 1 at 1024 KiB"])
    #expect(handle(part(of: 1, at: 0, count: half)) == [], "it came twice")
    #expect(handle(part(of: 1, at: half, count: half)) == ["want 1 at 1536 KiB"])
    #expect(handle(part(of: 1, at: window, count: size - window)) == ["load 1", "started 1", "lay out 1"])
    #expect(handle(laidOut(1)) == ["result 1 in 1 parts", "want 2 at 0 KiB"])
  }

  /// The coordinator gives up a worker that asks for nothing while a slow connection carries its program.
  @Test func theWorkerAsksForMoreOfAProgramAfterTwoParts() {
    let size = ProtocolLimits.programPartBytes
    sizes[1] = 2 * ProtocolLimits.programWindow
    #expect(handle(job(1)) == ["want 1 at 0 KiB"])
    #expect(handle(part(of: 1, at: 0, count: size)) == [])
    #expect(handle(part(of: 1, at: size, count: size)) == ["want 1 at 1024 KiB"])
    #expect(handle(part(of: 1, at: 2 * size, count: size)) == [])
    #expect(handle(part(of: 1, at: 3 * size, count: size)) == ["want 1 at 1152 KiB"])
  }

  @Test func aProgramContinuesOnAnotherConnection() {
    let half = ProtocolLimits.programWindow / 2
    sizes[1] = half + 10
    #expect(handle(job(1)) == ["want 1 at 0 KiB"])
    #expect(handle(part(of: 1, count: half)) == ["want 1 at 1024 KiB"])
    #expect(handle(.tick, at: 2000) == ["hello"], "the worker waits, and the coordinator is silent")
    #expect(handle(.message(.welcome(.none), [])) == [], "the job belonged to the other connection")
    #expect(handle(job(2)) == ["want 1 at 512 KiB"])
    #expect(handle(part(of: 1, at: half, count: 10)) == ["load 1", "started 2", "lay out 2"])
  }

  @Test func aJobWhoseProgramIsGoneIsReturned() {
    #expect(handle(job(1)) == ["want 1 at 0 KiB"])
    #expect(handle(.message(.program(.init(id(of: 1), size: 0)), [])) == ["missing 1"])
    #expect(begin(2, program: 2) == ["load 2", "started 2", "lay out 2"])
  }

  @Test func columnsThatAreTooLargeAreNotSent() {
    _ = begin(1)
    #expect(handle(laidOut(1, sizes: [3, ProtocolLimits.columnBytes + 1])) == ["too large 1"])
    #expect(begin(2) == ["started 2", "lay out 2"])
    #expect(handle(laidOut(2, sizes: [ProtocolLimits.columnBytes + 1])) == ["too large 2"])
  }

  @Test func theWorkerReportsInvisibleLinesAndPrograms() {
    var job = MessageToWorker.Job(
      JobReference(1, attempt: 1), setup: JobSetup(program: id(of: 1), variants: []),
      chunk: RowsChunk(nil, firstLine: 1, firstRow: 0, rows: 1), deadline: 10, checksum: 0)
    let range = SharedRange(memory: MemoryReference(process: 1, descriptor: 1, token: 1), offset: 0, count: 1)
    job.chunk.lines = range
    #expect(handle(.message(.job(job), [])) == ["want 1 at 0 KiB"])
    #expect(
      handle(.message(.program(.init(id(of: 1), size: 1, shared: range)), [])) == ["want 1 at 0 KiB, invisible"])
    #expect(handle(part(of: 1)) == ["load 1", "missing 1, invisible"])
  }

  @Test func aJobWithoutLinesIsReturned() {
    _ = begin(1)
    _ = handle(laidOut(1))
    guard case .message(let message, _) = job(2) else { return }
    #expect(handle(.message(message, [])) == ["missing 2, invisible"])
  }

  @Test func theWorkerFinishesItsJobsWhenItDrains() {
    _ = begin(1)
    _ = handle(job(2))
    #expect(handle(.message(.drain, [])) == [])
    #expect(handle(laidOut(1)) == ["result 1 in 1 parts, next 2", "lay out 2"])
    #expect(handle(laidOut(2)) == ["result 2 in 1 parts", "end drained"], "nobody receives a goodbye")
  }

  @Test func theWorkerDoesNotStartItsQueuedJobsAtTheMemoryLimit() {
    _ = begin(1)
    _ = handle(job(2))
    #expect(handle(.memoryMeasured(1000)) == [])
    #expect(handle(.memoryMeasured(1001)) == [])
    #expect(handle(laidOut(1)) == ["result 1 in 1 parts", "goodbye", "end grown"])
  }

  @Test func theWorkerEndsAtOnceWhenItIsStopped() {
    _ = begin(1)
    #expect(handle(.stop) == ["goodbye", "end drained"])
    #expect(handle(.tick, at: 60_000) == [])
  }

  @Test func aRefusedWorkerEndsWithoutAMessage() {
    #expect(handle(.message(.refused(reason: "why"), [])) == ["end refused(\"why\")"])
  }

  @Test func theWorkerKeepsTheLatestPrograms() {
    for program in 1...UInt8(ProtocolLimits.programsOfWorker) {
      _ = begin(UInt64(program), program: program)
      _ = handle(laidOut(UInt64(program)))
    }
    #expect(begin(9, program: 9) == ["unload 1", "load 9", "started 9", "lay out 9"])
    _ = handle(laidOut(9))
    #expect(handle(job(10, program: 2)) == ["started 10", "lay out 10"])
    _ = handle(laidOut(10))
    #expect(handle(job(11, program: 1)) == ["want 1 at 0 KiB"])
  }

  @Test func aProgramThatCannotBeUsedIsReportedAndRemoved() {
    _ = begin(1)
    _ = handle(job(2))
    let failure = "failure 1: the program cannot be used: it has no cells"
    #expect(handle(.programFailed(reason: "it has no cells")) == ["unload 1", failure, "want 1 at 0 KiB"])
  }

  /// The message may have been a job, which the coordinator gives to the worker again when it has registered again.
  @Test func aWorkerRegistersAgainAfterAMalformedMessage() {
    let warning =
      "warning: a malformed message came from the coordinator, perhaps a job; the worker registers again"
    let effects = handle(.malformedMessage, at: 1900)
    #expect(effects.count == 3 && effects.prefix(2) == [warning, "goodbye"])
    #expect(effects.last?.hasPrefix("hello") == true)
    #expect(handle(.tick, at: 2000) == [])
  }
}
