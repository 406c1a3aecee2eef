import Foundation
import GalleyTestSupport
import SeededRandom
import Testing

@testable import RowsFiles

/// Tests of rows that are the elements of a JSON array.
@Suite struct JSONArrayLinesTests {
  /// Returns the rows of a body, which is given in pieces through a pipe.
  private func rows(_ text: String, pieces: [Int] = []) throws -> [String] {
    try rows(Array(text.utf8), pieces: pieces)
  }

  private func rows(_ bytes: [UInt8], pieces: [Int], pause: UInt32 = 0) throws -> [String] {
    let pipe = Pipe()
    let thread = Thread {
      var rest = bytes[...]
      for piece in pieces where piece < rest.count {
        pipe.fileHandleForWriting.write(Data(rest.prefix(piece)))
        rest = rest.dropFirst(piece)
        usleep(pause)
      }
      pipe.fileHandleForWriting.write(Data(rest))
      try? pipe.fileHandleForWriting.close()
    }
    thread.start()
    let reader = try RowsReader(
      body: dup(pipe.fileHandleForReading.fileDescriptor), name: "body", isInteractive: !pieces.isEmpty,
      shouldStop: { false })
    var rows: [String] = []
    while let chunk = try reader.next(bytes: 1000) {
      chunk.forEachRow { row, _ in rows.append(String(decoding: row.bytes, as: UTF8.self)) }
    }
    return rows
  }

  /// Returns a value of JSON with strings that have what separates elements elsewhere.
  private func randomValue(_ random: inout SplitMix, depth: Int) -> String {
    func space() -> String { ["", "", " ", "\n", "\r\n", "\t"][Int(random.next() % 6)] }
    switch random.next() % (depth > 2 ? 3 : 5) {
    case 0: return "\(Int(random.next() % 1000))"
    case 1: return ["\"a\"", "\"],[\"", "\"}\\\"{,\"", "\"\\\\\"", "\"ü\\n\""][Int(random.next() % 5)]
    case 2: return "null"
    case 3:
      let values = (0..<Int(random.next() % 4)).map { _ in randomValue(&random, depth: depth + 1) }
      return "[" + values.joined(separator: "\(space()),\(space())") + space() + "]"
    default:
      let values = (0..<Int(random.next() % 4)).map { "\"k\($0)\"\(space()):\(randomValue(&random, depth: depth + 1))" }
      return "{" + space() + values.joined(separator: "\(space()),\(space())") + "}"
    }
  }

  @Test(arguments: 0..<60) func elementsAreRowsInPiecesOfAnySize(seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    let elements = (0..<Int(random.next() % 30)).map { "{\"row\":\($0),\"x\":\(randomValue(&random, depth: 0))}" }
    let text = " [" + elements.joined(separator: "\n ,\n") + "\n]\n"
    let pieces = (0..<Int(random.next() % 8)).map { _ in 1 + Int(random.next() % 60) }
    func value(_ text: String) throws -> NSObject? {
      try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed) as? NSObject
    }
    let read = try rows(text, pieces: pieces)
    #expect(read.count == elements.count)
    for (row, element) in zip(read, elements) { #expect(try value(row) == value(element)) }
  }

  @Test func anArrayMayComeAfterItsSpaces() throws {
    #expect(try rows("\n  [{},{}]", pieces: [1, 1]).map { $0.trimmingCharacters(in: .whitespaces) } == ["{}", "{}"])
  }

  /// The first compressed bytes have no content, and a byte order mark alone is none.
  @Test func anArrayIsRecognizedAlthoughItsFirstByteComesLate() throws {
    let array = Array("[{},{}]".utf8)
    let bodies = [((Compression.gzip)(array), 10), ([0xef, 0xbb, 0xbf, 0x0a] + array, 4)]
    for (body, piece) in bodies { #expect(try rows(body, pieces: [piece], pause: 20_000).count == 2) }
  }

  @Test func aLineEndInAStringCostsOneRow() throws {
    let rows = try rows("[{\"a\":\"x\ny\"},{\"a\":\"\\\n\"},{}]")
    #expect(rows.count == 3 && rows[2] == "{}", "\(rows)")
  }

  @Test func linesAreStillRows() throws {
    #expect(try rows("{\"a\":[1,2]}\n{}\n") == ["{\"a\":[1,2]}", "{}"])
  }

  @Test func whatIsNoElementIsARow() throws {
    #expect(try rows("[{},,{}]").map { $0.trimmingCharacters(in: .whitespaces) } == ["{}", ",{}"])
    #expect(try rows("[{},]").map { $0.trimmingCharacters(in: .whitespaces) } == ["{}", "]"])
    #expect(try rows("[1]\n{}\n{}\n").map { $0.trimmingCharacters(in: .whitespaces) } == ["[1]", "{}", "{}"])
  }

  /// Otherwise an empty array, or one of several elements, would change the numbers of the rows.
  @Test(arguments: ["[]", "[1,2]", "[{}]"]) func aLineThatIsAnArrayIsOneBadRow(line: String) throws {
    #expect(try rows("\(line)\n{}\n") == [line, "{}"])
  }

  @Test(arguments: [[], [1], [5], [7]]) func whatFollowsAnArrayInItsLineIsABadRow(pieces: [Int]) throws {
    let read = try rows("[{},{\n}] {}\n{}\n", pieces: pieces).map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(read == ["{}", "{ }", "]}", "{}"])
  }

  /// Whoever streams rows may wait for the results of the first line.
  @Test func rowsBehindALineThatIsAnArrayAndComesAloneAreRows() throws {
    let read = try rows(Array("[1]\n{}\n{}\n".utf8), pieces: [4], pause: 20_000)
    #expect(read.map { $0.trimmingCharacters(in: .whitespaces) } == ["1", "{}", "{}"])
  }

  @Test func anArrayMayHaveALineThatEndsWithAnotherArray() throws {
    #expect(try rows("[{\"id\":1,\"tags\":[\"a\",\"]\"]\n},\n{\"id\":2}\n]").count == 2)
  }

  @Test(arguments: ["[", "[{}", "[{},", "[{},{\"a\":\"]\"}", "[[]"]) func anArrayThatEndsTooEarlyIsAnError(text: String)
  {
    let error = #expect(throws: RowsError.self) { try rows(text) }
    #expect(error?.reason == "is a JSON array that ends too early")
  }
}
