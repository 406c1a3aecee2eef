import Buffers
import Foundation
import GalleyTestSupport
import LayoutEngine
import PoolCoordinatorCore
import PoolProtocol
import PoolScheduler
import Testing

@testable import PoolCoordinator

/// Tests of the files of a spool.
@Suite struct JournalsTests {
  private let scratch = Scratch()
  private static let description = BatchDescription(
    program: [7], variants: [Variant(width: 390, textScale: 1, scale: 2)])

  private func journals(maxOpenFiles: Int = 32) throws -> Journals {
    Journals(try Spool(scratch.path("spool")), maxOpenFiles: maxOpenFiles)
  }

  private func append(_ number: BatchID, to journals: Journals) throws -> [JournalRange] {
    let event = journals.perform(
      .append(number, JournalFileTests.result(number, rows: 1, [UInt8(number)]), synchronizes: false))
    guard case .appended(_, let ranges, _)? = event else { throw Failure(event: "\(String(describing: event))") }
    return ranges
  }

  private struct Failure: Error {
    let event: String
  }

  /// The names of the open files of the spool.
  private var openJournals: [String] {
    let directory = "/proc/self/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    let paths = names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/\($0)") }
    return paths.filter { $0.hasPrefix(scratch.path("spool/")) }
      .map { URL(fileURLWithPath: $0).lastPathComponent }.sorted()
  }

  @Test func aFewJournalsAreOpenHoweverManyThereAre() throws {
    let batches = 1...100 as ClosedRange<BatchID>
    let journals = try journals()
    for batch in batches {
      _ = journals.perform(.createJournal(batch, Self.description, program: OwnedBytes(copying: [1, 2])))
    }
    #expect(openJournals.count <= 40)
    let ranges = try batches.map { try append($0, to: journals) }
    for (batch, ranges) in zip(batches, ranges) {
      guard case .read(_, let parts)? = journals.perform(.read(batch, ranges)) else {
        Issue.record("batch \(batch) cannot be read")
        continue
      }
      #expect(parts.map { $0.withBytes { Array($0) } } == [[UInt8(batch)]])
    }
    #expect(openJournals.count <= 40)
    let again = journals.recover()
    #expect(again.map(\.id) == Array(batches))
    let counts = again.map { if case .read(let contents, _, _) = $0.journal { contents.results.count } else { 0 } }
    #expect(counts == [Int](repeating: 1, count: batches.count))
  }

  @Test func aJournalThatCannotBeOpenedIsNeverRenamed() throws {
    let journals = try journals()
    _ = journals.perform(.createJournal(1, Self.description, program: nil))
    // A directory in the place of a program cannot be read, and neither is it missing.
    let program = scratch.path("spool/programs/07")
    try FileManager.default.createDirectory(atPath: program, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: program) }
    #expect(JournalError("a", errno: EMFILE).canPass && JournalError("a", errno: EACCES).canPass)
    #expect(JournalError("a", errno: ENOSPC).canPass && !JournalError("a", errno: ENOENT).canPass)
    _ = journals.recover()
    #expect(FileManager.default.fileExists(atPath: scratch.path("spool/1.journal")))
  }

  @Test func aJournalThatIsShorterThanItWasIsAnErrorThatStays() throws {
    let path = scratch.path("journal")
    let file = try JournalFile(creating: path)
    _ = try file.append(.batch(.current, Self.description))
    #expect(throws: JournalError.self) { _ = try JournalFile(path, size: file.size + 1) }
    #expect(try JournalFile(path, size: file.size).size == file.size)
  }

  @Test func journalsThatWereSetAsideCountWithTheirSize() throws {
    let spool = try Spool(scratch.path("spool"))
    let file = try JournalFile(creating: spool.journalPath(of: "1"))
    _ = try file.append(.batch(.current, Self.description), synchronizes: true)
    spool.setAside("1")
    #expect(Journals(spool).recover().map(\.bytes) == [file.size])
  }

  @Test func aDamagedProgramIsRemovedAndStoredAgain() throws {
    let spool = try Spool(scratch.path("spool"))
    let id = ProgramID(repeating: 9, count: 32)
    let name = String(repeating: "09", count: 32)
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: scratch.path("spool/programs")).sorted()
    }
    try spool.store(OwnedBytes(copying: [1, 2, 3]), id)
    #expect(try names() == [name])
    #expect(try spool.program(id) == nil, "its hash is another")
    #expect(try names() == [])
    try spool.store(OwnedBytes(copying: [1, 2, 3]), id)
    // An earlier version has left a damaged program.
    #expect(FileManager.default.createFile(atPath: scratch.path("spool/programs/\(name).damaged"), contents: nil))
    spool.removePrograms(except: [id])
    #expect(try names() == [name])
  }

  @Test func theFileThatWasNotUsedForTheLongestTimeIsClosedFirst() throws {
    let journals = try journals(maxOpenFiles: 3)
    for batch in 1...3 as ClosedRange<BatchID> {
      _ = journals.perform(.createJournal(batch, Self.description, program: nil))
    }
    _ = try append(1, to: journals)
    _ = journals.perform(.createJournal(4, Self.description, program: nil))
    #expect(openJournals == ["1.journal", "3.journal", "4.journal"])
    _ = journals.perform(.removeJournal(3))
    _ = try append(2, to: journals)
    #expect(openJournals == ["1.journal", "2.journal", "4.journal"])
  }

  @Test(arguments: ["Z1", "01", "", "a-b", "zzzzzzzzzzzzzzzz", "3w5e11264sgsf"]) func otherTextsAreNoNamesOfBatches(
    text: String
  ) {
    #expect(BatchName.id(text) == nil)
    #expect(BatchName.id(BatchName.text(123_456_789)) == 123_456_789)
  }
}
