import Buffers
import Foundation
import GalleyTestSupport
import Glibc
import Hashing
import SeededRandom
import Testing

@testable import CellsFiles

/// Tests of programs whose hashes are known from an earlier run.
@Suite struct KnownProgramTests {
  private let scratch = Scratch()
  /// A start at which files that were just written count as old.
  private var later: Int64 { Int64(time(nil)) + 60 }
  private var cache: ProgramCache { ProgramCache(directory: scratch.path("cache/galley")) }
  private var cells: String { scratch.path("cells.yaml") }

  private func writeCells(size: Int = 15) throws {
    let text = """
      version: 1
      fonts: {b: {file: font.ttf, size: \(size)}}
      cells:
        A: {layout: {type: node, layout: {type: stack, children: [{type: text, text: "{text}", font: b}]}}}

      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: cells))
  }

  private func place(_ name: String, at target: String = "font.ttf") throws {
    try? FileManager.default.removeItem(atPath: scratch.path(target))
    try FileManager.default.copyItem(at: Fixtures.url(name), to: URL(fileURLWithPath: scratch.path(target)))
  }

  /// Returns the hash of the program, or the error, without a cache.
  private func fresh() -> Result<[UInt8], CellsFileError> {
    Result { () throws(CellsFileError) in
      try CellsFile(cells).archive().withBytes { SHA256.hash($0) }
    }
  }

  private func known() -> Result<KnownProgram, CellsFileError> {
    Result { () throws(CellsFileError) in
      let program = try KnownProgram(cells, cache: cache, start: later)
      // The program is stored when its hash is known.
      _ = program.hash
      return program
    }
  }

  private func isFromCache(_ program: KnownProgram) -> Bool {
    if case .found = program.knownHash { true } else { false }
  }

  private func bytes(_ program: KnownProgram) throws -> [UInt8] {
    try OwnedBytes(joining: program.parts()).withBytes { Array($0) }
  }

  private func expectSame(_ seed: UInt64, _ change: String) {
    switch (fresh(), known()) {
    case (.success(let hash), .success(let program)):
      #expect(program.hash == hash, "seed \(seed): \(change)")
      let parts = Result { () throws(CellsFileError) in try program.parts() }
      #expect((try? parts.get()).map { SHA256.hash($0) } == hash, "seed \(seed): \(change)")
    case (.failure(let first), .failure(let second)):
      #expect(first.description == second.description, "seed \(seed): \(change)")
    default: Issue.record("seed \(seed): \(change) is not noticed")
    }
  }

  @Test func aProgramWhoseFilesAreTheSameIsNotRead() throws {
    try writeCells()
    try place("variable.ttf")
    let first = try known().get()
    let second = try known().get()
    #expect(!isFromCache(first))
    #expect(isFromCache(second))
    #expect(second.hash == first.hash)
    #expect(try bytes(second) == bytes(first))
  }

  @Test(arguments: ["variable.ttf", "variable.woff2"])
  func aFontThatHasChangedSinceItsHashWasKnownIsAnError(name: String) throws {
    try writeCells()
    try place(name)
    let (first, second) = (try known().get(), try known().get())
    try place("variable.woff")
    #expect(try SHA256.hash(first.parts()) == first.hash, "it was read before the font changed")
    let error = #expect(throws: CellsFileError.self) { try second.parts() }
    #expect(error?.description == "\(cells): its fonts have changed since the run began; run again")
    #expect(try !isFromCache(known().get()))
  }

  /// Collections, faces that share a file, and the fonts of this machine in their order.
  @Test func aProgramFromTheCacheHasTheFontsInTheirOrder() throws {
    try place("variable.ttf")
    let text = """
      version: 1
      fonts:
        b: {family: DejaVu Sans, size: 15, weight: 700}
        a: {file: font.ttf, size: 15}
        c: {file: font.ttf, size: 15, weight: 300}
        d: {family: DejaVu Sans, size: 12}
      fallback: [Noto Sans CJK JP, system]
      cells: {A: {layout: {type: node, layout: {type: stack, children: [{type: text, text: "{text}", font: b}]}}}}
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: cells))
    let (first, second) = (try known().get(), try known().get())
    #expect(isFromCache(second))
    #expect(try bytes(second) == bytes(first))
    #expect(try SHA256.hash(second.parts()) == first.hash)
  }

  @Test func aMappedFontThatIsReplacedKeepsItsBytesAndOneThatIsWrittenIsNoticed() throws {
    let path = scratch.path("font.ttf")
    func mapped() throws -> (font: ProgramFont, bytes: OwnedBytes) {
      try place("variable.ttf")
      let file = try FontFile(path)
      let font = ProgramFont(path: path, isInstalled: true, identity: file.identity)
      // A change within one tick of the system's clock is not noticed.
      usleep(10_000)
      return (font, try #require(file.bytes(maps: true)))
    }
    let (replaced, bytes) = try mapped()
    let before = Array(bytes.bytes)
    try place("variable.woff", at: "other")
    rename(scratch.path("other"), path)
    #expect(Array(bytes.bytes) == before && !replaced.isWrittenInPlace)
    let (written, _) = try mapped()
    #expect(!written.isWrittenInPlace)
    let descriptor = open(path, O_WRONLY)
    #expect(pwrite(descriptor, [1, 2], 2, 100) == 2)
    close(descriptor)
    #expect(written.isWrittenInPlace)
  }

  /// The model is a cells file that is read without a cache.
  @Test(arguments: 1...6 as ClosedRange<UInt64>) func everyChangeOfCellsAndFontsIsNoticed(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    try writeCells()
    try place("variable.ttf")
    let font = scratch.path("font.ttf")
    for _ in 0..<12 {
      _ = known()
      // A change within one tick of the system's clock is a matter of `aFileThatMayStillChangeIsNotStored`.
      usleep(10_000)
      let change = random.below(7)
      switch change {
      case 0: try writeCells(size: 10 + random.below(20))
      case 1:
        var status = stat()
        stat(font, &status)
        let descriptor = open(font, O_WRONLY)
        var byte = UInt8(random.below(256))
        pwrite(descriptor, &byte, 1, off_t(random.below(Int(max(status.st_size, 1)))))
        // Its size and the time of its modification remain.
        var times = [status.st_atim, status.st_mtim]
        futimens(descriptor, &times)
        close(descriptor)
      case 2: try place(["variable.ttf", "variable.woff", "variable.woff2"][random.below(3)])
      case 3:
        try place("variable.woff", at: "other")
        rename(scratch.path("other"), font)
      case 4:
        try place("variable.woff2", at: "target")
        unlink(font)
        symlink(scratch.path("target"), font)
      case 5: unlink(font)
      default: truncate(font, off_t(random.below(1 << 14)))
      }
      expectSame(seed, "change \(change)")
      if random.below(2) == 0 { try place("variable.ttf") }
    }
  }

  @Test func aFileThatMayStillChangeIsNotStored() throws {
    try writeCells()
    try place("variable.ttf")
    let now = Int64(time(nil))
    for _ in 0..<2 { #expect(try !isFromCache(KnownProgram(cells, cache: cache, start: now))) }
  }

  @Test func theSearchForFontsIsAPartOfTheIdentity() throws {
    let paths = FontSources.paths
    #expect(paths.contains { $0.hasSuffix("/fontconfig") })
    #expect(paths.contains("/proc/self/exe"))
    let variable = "FC_LANG"
    #expect(FontSources.environment.contains { $0.hasPrefix(variable + "=") })
  }

  @Test func warningsAreKnownToo() throws {
    try place("variable.ttf")
    let text = """
      version: 1
      fonts: {b: {file: font.ttf, size: 15}}
      cells: {A: {layout: {type: static, children: [{type: text, text: "{text}", font: b}]}}}
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: cells))
    let warnings = try CellsFile(cells).warnings.count
    #expect(warnings > 0)
    #expect(try known().get().warnings == warnings)
    let second = try known().get()
    #expect(isFromCache(second))
    #expect(second.warnings == warnings)
  }
}
