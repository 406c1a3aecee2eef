import Buffers
import Foundation
import GalleyTestSupport
import Glibc
import Hashing
import Testing

@testable import RowsFiles

/// Tests of the reading of several, compressed and damaged rows files.
@Suite struct RowsFileTests {
  private let scratch = Scratch()

  private func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: scratch.path(name)))
    return scratch.path(name)
  }

  private func chunks(_ paths: [String], bytes: Int = 10_000) throws -> [RowsChunk<OwnedBytes>] {
    let reader = try RowsReader(paths)
    var chunks: [RowsChunk<OwnedBytes>] = []
    while let chunk = try reader.next(bytes: bytes) { chunks.append(chunk) }
    return chunks
  }

  private func content(_ paths: [String], bytes: Int = 10_000) throws -> [UInt8] {
    try chunks(paths, bytes: bytes).flatMap { [UInt8]($0.lines.bytes) }
  }

  private static let rows = Array((0..<20_000).map { "{\"n\":\($0 * 7919 % 10_007)}\n" }.joined().utf8)

  @Test(arguments: Compression.allCases)
  func compressedRowsAreDecompressed(compression: Compression) throws {
    let path = try file("rows", compression(Self.rows))
    for bytes in [1, 1000, 1 << 20] { #expect(try content([path], bytes: bytes) == Self.rows) }
  }

  @Test(arguments: Compression.allCases)
  func concatenatedMembersAreReadAsOneFile(compression: Compression) throws {
    let parts = [Self.rows[..<5], Self.rows[5..<100_000], [], Self.rows[100_000...]]
    let path = try file("rows", parts.flatMap { compression(Array($0)) })
    let chunks = try chunks([path])
    #expect(chunks.flatMap { [UInt8]($0.lines.bytes) } == Self.rows)
    #expect(chunks.reduce(0) { $0 + Int($1.rows) } == 20_000)
  }

  @Test func zerosAfterGzipDataAreIgnored() throws {
    let path = try file("rows", Compression.gzip(Self.rows) + [UInt8](repeating: 0, count: 1000))
    #expect(try content([path]) == Self.rows)
  }

  @Test(arguments: Compression.allCases, [true, false])
  func truncatedCompressedDataIsAnError(compression: Compression, many: Bool) throws {
    let whole = compression(Self.rows)
    let path = try file("rows", (many ? whole : []) + whole.dropLast(9))
    let error = #expect(throws: RowsError.self) { try content([path]) }
    #expect(error == RowsError(name: path, reason: "is damaged \(compression.rawValue) data: it ends too early"))
  }

  // MARK: Files that change while they are read

  @Test(arguments: [nil] + Compression.allCases.map(Optional.some))
  func aFileThatIsTruncatedWhileItIsReadIsAnErrorThatNamesIt(compression: Compression?) throws {
    let noise = (0..<200_000).map { "{\"n\":\(UInt64($0) &* 0x9e37_79b9_7f4a_7c15)}\n" }.joined()
    let whole = compression?(Array(noise.utf8)) ?? Array(noise.utf8)
    let path = try file("rows", whole)
    let reader = try RowsReader(path)
    _ = try reader.next(bytes: 1000)
    let read = reader.bytesRead
    truncate(path, 1000)
    let error = #expect(throws: RowsError.self) { while try reader.next(bytes: 1 << 20) != nil {} }
    #expect(error == RowsError(name: path, truncatedTo: read, of: whole.count))
  }

  @Test func aTruncatedFileAmongSeveralIsAnErrorThatNamesIt() throws {
    let paths = [try file("a", Self.rows), try file("b", Self.rows)]
    let reader = try RowsReader(paths)
    _ = try reader.next(bytes: 1000)
    truncate(paths[1], 0)
    let error = #expect(throws: RowsError.self) { while try reader.next(bytes: 1000) != nil {} }
    #expect(error == RowsError(name: paths[1], truncatedTo: 0, of: Self.rows.count))
  }

  @Test func aFileThatBecomesLongerIsReadToItsEnd() throws {
    let path = try file("rows", Array(Self.rows.dropLast(70_000)))
    let reader = try RowsReader(path)
    var content: [UInt8] = []
    if let chunk = try reader.next(bytes: 1000) { content += [UInt8](chunk.lines.bytes) }
    try Data(Self.rows).write(to: URL(fileURLWithPath: path))
    while let chunk = try reader.next(bytes: 1000) { content += [UInt8](chunk.lines.bytes) }
    #expect(content == Self.rows)
  }

  @Test func aDescriptorInTheMiddleOfAFileHasTheRestOfItsRows() throws {
    let path = try file("rows", Self.rows)
    let descriptor = open(path, O_RDONLY)
    let middle = (Self.rows[100_000...].firstIndex(of: 0x0a) ?? 0) + 1
    lseek(descriptor, off_t(middle), SEEK_SET)
    let reader = try RowsReader(descriptor: descriptor, name: path)
    var content: [UInt8] = []
    while let chunk = try reader.next(bytes: 1000) { content += [UInt8](chunk.lines.bytes) }
    #expect(content == Array(Self.rows[middle...]))
  }

  @Test(arguments: Compression.allCases)
  func damagedDataIsAnErrorOrIsRead(compression: Compression) throws {
    let whole = compression(Self.rows)
    var mutator = Mutator(seed: 3, corpus: [whole])
    var errors = 0
    for _ in 0..<Mutator.count / 100 {
      // The first four bytes are kept, because they identify compressed data.
      let path = try file("rows", Array(whole[..<4]) + mutator.next().dropFirst(4))
      do { _ = try content([path], bytes: 1 << 20) } catch let error as RowsError {
        #expect(error.name == path && error.reason.hasPrefix("is damaged \(compression.rawValue) data: "))
        errors += 1
      }
    }
    #expect(errors > 0)
  }

  @Test func theInputHashIsComputedFromTheStoredBytes() throws {
    let stored = [Compression.gzip(Self.rows), Self.rows, Compression.zstd(Self.rows)]
    let paths = try stored.enumerated().map { try file("rows\($0.offset)", $0.element) }
    let reader = try RowsReader(paths)
    while try reader.next(bytes: 1 << 20) != nil {}
    let all = stored.flatMap { $0 }
    let expected = all.withUnsafeBytes { hexadecimal(SHA256.hash($0)) }
    #expect(reader.bytesRead == all.count && reader.size == all.count && reader.contentSize == nil)
    #expect(reader.input.hash == "sha256:" + expected)
  }

  @Test func rowsAreNumberedAcrossFilesAndLinesWithinAFile() throws {
    let texts = ["{}\n\n{}", "\u{feff}\n{}\n", "", "\u{feff}{}"]
    let paths = try texts.enumerated().map { try file("rows\($0.offset)", Array($0.element.utf8)) }
    let chunks = try chunks(paths)
    #expect(chunks.map(\.file) == paths)
    #expect(chunks.map(\.firstRow) == [0, 2, 3, 3])
    #expect(chunks.map(\.rows) == [2, 1, 0, 1])
    #expect(chunks.allSatisfy { $0.firstLine == 1 })
    #expect(chunks.map(\.isLast) == [false, false, false, true])
  }

  @Test func chunksOfASingleFileHaveNoFileName() throws {
    #expect(try chunks([file("rows", Self.rows)]).allSatisfy { $0.file.isEmpty })
  }

  @Test func theNameOfSeveralFilesListsTheFirst() {
    #expect(RowsReader.name(of: ["a", "-"]) == "a, standard input")
    #expect(RowsReader.name(of: ["a", "b", "c", "d", "e"]) == "a, b, c and 2 more")
  }

  @Test func aPipeIsReadOnce() throws {
    let path = scratch.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let stored = Compression.gzip(Self.rows)
    let writer = Thread {
      FileHandle(forWritingAtPath: path)?.write(Data(stored))
    }
    writer.start()
    #expect(try content([path]) == Self.rows)
  }
}
