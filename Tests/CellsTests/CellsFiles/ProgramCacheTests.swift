import Foundation
import GalleyTestSupport
import Glibc
import SeededRandom
import Testing

@testable import CellsFiles

/// Tests of the directory with what is known of programs.
@Suite struct ProgramCacheTests {
  private let scratch = Scratch()
  private var entry: ProgramCache.Entry {
    ProgramCache.Entry(hash: [UInt8](repeating: 7, count: 32), warnings: 513, head: [0, 1, 2, 255], fonts: [])
  }
  private let key = [UInt8](repeating: 1, count: 32)
  private var cache: ProgramCache { ProgramCache(directory: scratch.path("home/galley")) }
  private var file: String { scratch.path("home/galley/program-01") }

  private func store(_ paths: [String] = []) {
    cache.store(entry, key, files: [:], paths: paths, start: Int64(time(nil)) + 60)
  }

  @Test func anEntryIsFoundUntilOneOfItsFilesChanges() throws {
    let path = try scratch.file("file", "1")
    let missing = scratch.path("missing")
    store([path, missing])
    #expect(cache.entry(key) == entry)
    #expect(cache.entry([1] + [UInt8](repeating: 2, count: 31)) == nil, "another key with the same file")
    _ = try scratch.file("missing", "")
    #expect(cache.entry(key) == nil, "a file that was missing is there")
    unlink(missing)
    #expect(cache.entry(key) == entry)
    chmod(path, 0o600)
    #expect(cache.entry(key) == nil)
  }

  @Test func aProgramWithDictionariesIsStored() {
    var entry = entry
    entry.head = [UInt8](repeating: 9, count: 3 << 20)
    cache.store(entry, key, files: [:], paths: [], start: Int64(time(nil)) + 60)
    #expect(cache.entry(key) == entry)
    cache.remove(key)
    #expect(cache.entry(key) == nil)
  }

  @Test func fontsHaveTheIdentityOfTheirFiles() throws {
    let paths = [try scratch.file("b", "1"), try scratch.file("a", "2"), try scratch.file("c", "3")]
    var files: [String: FileIdentity] = [:]
    for path in paths { files[path] = FileIdentity(path: path) }
    var entry = entry
    entry.fonts = try paths.dropLast().enumerated().map { index, path in
      ProgramFont(path: path, isInstalled: index == 1, identity: try #require(files[path]))
    }
    cache.store(entry, key, files: files, paths: [scratch.path("missing")], start: Int64(time(nil)) + 60)
    #expect(cache.entry(key) == entry)
    _ = try scratch.file("c", "another")
    #expect(cache.entry(key) == nil)
  }

  @Test func everyDamageIsFound() throws {
    store([scratch.path("missing")])
    let whole = try Data(contentsOf: URL(fileURLWithPath: file))
    #expect(cache.entry(key) == entry)
    var random = SplitMix(seed: 3)
    for _ in 0..<300 {
      var bytes = [UInt8](whole)
      if random.below(3) == 0 {
        bytes.removeLast(1 + random.below(bytes.count))
      } else {
        bytes[random.below(bytes.count)] ^= UInt8(1 + random.below(255))
      }
      let descriptor = open(file, O_WRONLY | O_TRUNC)
      write(descriptor, bytes, bytes.count)
      close(descriptor)
      #expect(cache.entry(key) == nil)
    }
  }

  @Test func onlyThisUserCanReadAndWriteTheFiles() throws {
    store()
    var status = stat()
    #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(stat(scratch.path("home/galley"), &status) == 0 && status.st_mode & 0o777 == 0o700)
    chmod(file, 0o622)
    #expect(cache.entry(key) == nil, "others can write to it")
  }

  @Test func theNumberOfFilesIsBounded() {
    for number in 0..<600 {
      let key = [UInt8(number & 0xff), UInt8(number >> 8)] + [UInt8](repeating: 0, count: 30)
      cache.store(entry, key, files: [:], paths: [], start: Int64(time(nil)))
    }
    #expect((try? FileManager.default.contentsOfDirectory(atPath: scratch.path("home/galley")).count) == 256)
  }

  @Test func aFontThatWasReplacedAfterItWasReadIsNotStored() throws {
    let path = try scratch.file("font", "1")
    let identity = try #require(FileIdentity(path: path))
    unlink(path)
    _ = try scratch.file("font", "2")
    cache.store(entry, key, files: [path: identity], paths: [], start: Int64(time(nil)) + 60)
    #expect(cache.entry(key) == nil)
  }
}
