import Foundation
import GalleyTestSupport
import Glibc
import PoolProtocol
import Testing

/// Tests of the batches in a spool, as an operator lists, limits and removes them.
@Suite struct SpoolTests {
  private let scratch = Scratch()
  /// The batches in the spool of version 0.4.0: one is done, the other has no results. Both have the same six rows.
  private static let done = "mwspbjtp"
  private static let undone = "mwspblx5"

  private var endpoint: String { "ipc://\(scratch.path("pool"))" }

  private func copySpool() throws {
    try FileManager.default.copyItem(
      atPath: Fixtures.url("spool-0.4.0").path, toPath: scratch.path("spool"))
  }

  /// - Parameter areOfVersion040: Whether the tables are to be those of results of version 0.4.0, which does not know whether
  ///   heights hold in other widths. That is not known of fractions either.
  private func arguments(areOfVersion040: Bool = false) throws -> [String] {
    let fraction = areOfVersion040 ? ", minWidth: 0%" : ""
    let cells = try scratch.file(
      "cells\(fraction.count).yaml",
      """
      version: 1
      cells: {A: {layout: {type: node, id: box, style: {width: 100, height: 20\(fraction)}}}}
      """)
    let rows = try scratch.file("rows.jsonl", (0..<6).map { #"{"id":"row-\#($0)"}"# + "\n" }.joined())
    return [rows, "--cells", cells, "--width", "320,390"]
  }

  private func expected(areOfVersion040: Bool = false) throws -> [String: Data] {
    let output = "expected-\(areOfVersion040)"
    try Galley.run(
      ["layout"] + arguments(areOfVersion040: areOfVersion040) + ["--output", scratch.path(output), "--in-process"]
    ).expectSuccess()
    return try variantTables(output)
  }

  private func submit(_ pool: Pool) throws -> Galley.Outcome {
    try Galley.run(["submit"] + arguments() + ["--detach", "--connect", pool.endpoint])
  }

  private func fetch(_ name: String, _ endpoint: String, _ output: String) throws -> Galley.Outcome {
    try Galley.run(["fetch", name, "--output", scratch.path(output), "--connect", endpoint])
  }

  /// The tables without the hashes of the rows, which version 0.4.0 did not store.
  private func variantTables(_ name: String) throws -> [String: Data] {
    try scratch.tables(name).filter { $0.key != "hashes.arrow" }
  }

  // MARK: Earlier versions

  @Test func batchesOfVersion040AreContinued() throws {
    let expected = [Self.done: try expected(areOfVersion040: true), Self.undone: try expected()]
    try copySpool()
    let pool = try Pool(scratch, ["--spool", scratch.path("spool"), "--workers", "1"])
    for name in [Self.done, Self.undone] {
      try fetch(name, pool.endpoint, name).expectSuccess()
      #expect(try variantTables(name) == expected[name])
    }
    // A client does not wait until the coordinator has removed its batch.
    try eventually { try FileManager.default.contentsOfDirectory(atPath: scratch.path("spool")) == ["programs"] }
  }

  // MARK: Damage

  @Test func resultsWhoseLinesAreDamagedAreFetched() throws {
    let expected = try expected()
    try copySpool()
    let path = URL(fileURLWithPath: scratch.path("spool/\(Self.done).journal"))
    var bytes = try Data(contentsOf: path)
    let line = try #require(bytes.range(of: Data("row-3".utf8)))
    bytes[line.lowerBound] ^= 1
    try bytes.write(to: path)
    let pool = try Pool(scratch, ["--spool", scratch.path("spool")])
    let outcome = try fetch(Self.done, pool.endpoint, "out")
    #expect(outcome.code == 3, "\(outcome.errors)")
    #expect(outcome.errors.contains("1 of 7 rows is bad"), "version 0.4.0 has the number of rows once")
    #expect(outcome.errors.contains("its journal is damaged; the batch ends without them in "))
    #expect(
      outcome.errors.contains(
        "the spool of the coordinator has the rest of the journal as \(Self.done).journal.damaged"))
    #expect(try scratch.tables("out")["w320/frames.arrow"] == expected["w320/frames.arrow"])
    try eventually {
      try FileManager.default.contentsOfDirectory(atPath: scratch.path("spool")).contains(
        "\(Self.done).journal.damaged")
    }
    let aside = try Data(contentsOf: URL(fileURLWithPath: scratch.path("spool/\(Self.done).journal.damaged")))
    #expect(aside.prefix(bytes.count) == bytes, "nothing of it is changed")
  }

  // MARK: Many batches

  @Test func moreBatchesAreKeptThanFilesCanBeOpen() throws {
    try copySpool()
    let journal = scratch.path("spool/\(Self.done).journal")
    let number = try #require(UInt64(Self.done, radix: 36))
    for other in 1...300 as ClosedRange<UInt64> {
      let copy = scratch.path("spool/\(String(number - other, radix: 36)).journal")
      try FileManager.default.copyItem(atPath: journal, toPath: copy)
    }
    let coordinator = try Galley.start(
      [
        "-c", #"ulimit -n 128; exec "$0" "$@""#, Galley.program.path, "coordinator", "--listen", endpoint, "--spool",
        scratch.path("spool"), "--workers", "1",
      ], executable: "/bin/sh")
    defer { coordinator.end(by: SIGKILL) }
    var listed: [Substring] = []
    try eventually {
      listed = try Galley.run(["batches", "--connect", endpoint]).output.split(separator: "\n")
      return listed.count == 303
    }
    #expect(listed.count { $0.contains("done: it is done and waits to be fetched") } >= 301)
    let status = try Galley.run(["status", "--connect", endpoint]).output
    #expect(status.contains("302 batches") && status.contains("and 102 more batches, which galley batches lists"))
    let name = try Galley.run(
      ["submit"] + arguments(areOfVersion040: true) + ["--detach", "--connect", endpoint]
    ).output.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(try fetch(name, endpoint, "new").code == 0)
    #expect(try fetch(Self.done, endpoint, "old").code == 0)
    #expect(try variantTables("new") == variantTables("old"))
    let cancelled = try Galley.run(["cancel", "--all", "--connect", endpoint])
    #expect(cancelled.output == "cancelled 301 batches\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path("spool")) == ["programs"])
  }

  // MARK: Lists

  @Test func batchesAreListedAsTextAndAsJSON() throws {
    let pool = try Pool(scratch, ["--spool", scratch.path("spool")])
    let name = try submit(pool).output.trimmingCharacters(in: .whitespacesAndNewlines)
    let text = try Galley.run(["batches", "--connect", pool.endpoint]).output.split(separator: "\n")
    #expect(text.count == 2 && text[0].hasPrefix("NAME  "))
    #expect(text[1].hasPrefix("\(name)  ") && text[1].contains("running: no worker is connected"))
    let json = try Galley.run(["batches", "--json", "--connect", pool.endpoint]).output
    let batches = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
    #expect(batches.count == 1 && batches[0]["name"] as? String == name)
    #expect(batches[0]["rowsReceived"] as? Int == 6 && batches[0]["rowsDone"] as? Int == 0)
    #expect(
      batches[0]["state"] as? String == "running" && (batches[0]["input"] as? String)?.hasSuffix("rows.jsonl") == true)
    let size = batches[0]["journalBytes"] as? Int
    let file = try FileManager.default.attributesOfItem(atPath: scratch.path("spool/\(name).journal"))[.size] as? Int
    #expect(size != nil && size == file)
  }

  @Test func aSimilarNameIsSuggestedForABatchThatIsNotThere() throws {
    let pool = try Pool(scratch, ["--spool", scratch.path("spool")])
    let name = try submit(pool).output.trimmingCharacters(in: .whitespacesAndNewlines)
    let wrong = String(name.dropLast())
    let fetched = try fetch(wrong, pool.endpoint, "out")
    #expect(fetched.code == 1)
    #expect(fetched.errors == "galley: the coordinator keeps no batch \(wrong) (did you mean \"\(name)\"?)\n")
    let cancelled = try Galley.run(["cancel", wrong, "--connect", pool.endpoint])
    #expect(cancelled.errors == "galley: the coordinator has no batch \(wrong) (did you mean \"\(name)\"?)\n")
    #expect(try Galley.run(["cancel", "--connect", pool.endpoint]).code == 2)
    #expect(try Galley.run(["cancel", name, "--all", "--connect", pool.endpoint]).code == 2)
  }

  // MARK: Limits

  @Test func aBatchThatNobodyFetchesIsRemovedAfterItsTime() throws {
    let pool = try Pool(scratch, ["--spool", scratch.path("spool"), "--workers", "1", "--keep", "1s"])
    #expect(try submit(pool).code == 0)
    try eventually { pool.coordinator.errorsSoFar.contains("nobody has fetched it in the time that --keep states") }
    try eventually { try FileManager.default.contentsOfDirectory(atPath: scratch.path("spool")) == ["programs"] }
  }

  @Test func aBatchThatHasNoRoomInTheSpoolIsRefused() throws {
    let pool = try Pool(scratch, ["--spool", scratch.path("spool"), "--spool-limit", "600"])
    try submit(pool).expectFailure(1, "are larger than the spool may be")
    let small = try Pool(
      scratch, ["--spool", scratch.path("other"), "--spool-limit", "100"], at: "ipc://\(scratch.path("small"))")
    try submit(small).expectFailure(1, "the spool has no room: ")
  }

  @Test(arguments: [
    ["--spool-limit", "1GB"], ["--spool-limit", "0"], ["--spool-limit", "-1MiB"], ["--keep", "7x"],
    ["--spool-limit", "99999999999TiB"],
  ])
  func otherLimitsAreUsageErrors(option: [String]) throws {
    let arguments = ["coordinator", "--listen", endpoint, "--spool", scratch.path("spool")] + option
    let outcome = try Galley.run(arguments)
    #expect(outcome.code == 2, "\(outcome.errors)")
  }

  @Test(arguments: ["7", "0", "0d", "7 d", "7D", "3651d", "d"])
  func aTimeWithoutANumberAndAUnitIsAUsageErrorThatNamesTheUnits(time: String) throws {
    try Galley.run(["coordinator", "--listen", endpoint, "--spool", scratch.path("spool"), "--keep=\(time)"])
      .expectFailure(
        2,
        "The value '\(time)' is invalid for '--keep <keep>': write a time with its unit, such as 90s, 30m, 12h or 7d, "
          + "and at most 3650d")
  }

  @Test func limitsNeedASpool() throws {
    try Galley.run(["coordinator", "--listen", endpoint, "--keep", "7d"]).expectFailure(
      2, "--spool-limit and --keep need --spool")
  }
}
