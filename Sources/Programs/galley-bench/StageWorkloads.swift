import Buffers
import CellsFiles
import Foundation
import SeededRandom

/// A workload of the stage report: rows and the program with their cells.
struct StageWorkload {
  let name: String
  /// The encoded `ProgramArchive`.
  let archive: OwnedBytes
  let rows: [UInt8]
  /// The rows of the same kind that fill the text cache before the measurement. Empty for a cold cache.
  let warmUp: [UInt8]

  private static let cells = """
    version: 1
    fonts: {body: {family: Inter, size: 15, lineHeight: 20}, small: {family: Inter, size: 12, lineHeight: 16}}
    fallback: [Noto Sans]
    cells:
      Chat:
        layout:
          type: inset
          insets: 8
          child: {type: stack, direction: vertical, spacing: 2, children: [
            {type: text, id: name, text: "{name}", font: small}, {type: text, id: text, text: "{text}", font: body}]}
      Long: {layout: {type: text, id: text, text: "{text}", font: body}}
      Measured: {layout: {type: stack, direction: vertical, spacing: 4, children: [
        {type: image, id: photo, imageSize: [300, 200], style: {width: "{w}", height: "{h}"}},
        {type: node, id: bar, style: {height: 44, alignSelf: stretch}}]}}
    """

  /// Returns all workloads: the photo posts of the demo, the posts and products of the examples with different IDs, and
  /// synthetic rows.
  ///
  /// - Parameters:
  ///   - program: The path of `galley`, which writes the demo and the examples.
  ///   - count: The number of rows of a workload, including the warm-up. Repeated rows are more, and long rows are
  ///     fewer.
  static func all(_ program: URL, count: Int = 80_000) throws -> [StageWorkload] {
    let repeats = count * 5 / 2
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("galley-stages-\(getpid())").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    Command.run(program, ["examples", directory])
    let feed = directory + "/feed.jsonl"
    Command.run(
      program,
      ["demo", "--rows", "\(count)", "--keep-rows", feed, "--output", directory + "/tables", "--quiet"])
    let posts = try CellsFile(directory + "/demo.yaml").archive()
    let own = try CellsFile(text: cells, path: "bench.yaml").archive()
    var random = SplitMix(seed: 5)
    let words = Vocabulary(20_000, &random)
    let many = Vocabulary(60_000, &random)
    func synthetic(_ name: String, _ count: Int, _ row: (Int) -> String) -> StageWorkload {
      StageWorkload(name, own, (0..<count).map(row))
    }
    return [
      StageWorkload("photo posts", posts, try lines(feed)),
      StageWorkload("photo posts, cold", posts, try lines(feed), isCold: true),
      StageWorkload(
        "posts of 60,000 words, cold", posts, (0..<count).map { photoPost($0, many, &random) }, isCold: true),
      StageWorkload(
        "posts, repeated", try CellsFile(directory + "/posts.yaml").archive(),
        try repeated(directory + "/posts.jsonl", repeats)),
      StageWorkload(
        "products, repeated", try CellsFile(directory + "/products.yaml").archive(),
        try repeated(directory + "/products.jsonl", repeats)),
      synthetic("chat", count) { _ in
        let (name, text) = (words.text(words: 2, &random), words.text(words: 1 + random.below(24), &random))
        return #"{"cell":"Chat","name":"\#(name)","text":"\#(text)"}"#
      },
      synthetic("a text of 5,000", count / 100) { _ in
        #"{"cell":"Long","text":"\#(words.text(words: 950, &random).prefix(5000))"}"#
      },
      synthetic("inline layouts", count) { _ in
        let text = words.text(words: 10, &random)
        return #"{"layout":{"type":"inset","insets":8,"child":{"type":"text","text":"\#(text)","font":"body"}}}"#
      },
      synthetic("pre-measured cells", count) {
        #"{"cell":"Measured","w":\#(200 + $0 % 190),"h":\#(100 + $0 % 97)}"#
      },
    ]
  }

  /// Returns posts with four to seven texts: name, time, caption, and up to four of location and comments.
  private static func photoPost(_ number: Int, _ words: Vocabulary, _ random: inout SplitMix) -> String {
    func comment() -> String {
      let (user, text) = (words.text(words: 1, &random), words.text(words: 1 + random.below(14), &random))
      return #"{"user":"\#(user)","text":"\#(text)"}"#
    }
    let comments = (0..<1 + random.below(3)).map { _ in comment() }.joined(separator: ",")
    let location = random.below(2) == 0 ? "" : #","location":"\#(words.text(words: 2, &random))""#
    return
      #"{"id":"\#(number)","cell":"PhotoCell","userName":"\#(words.text(words: 1, &random))","time":"\#(number % 23)h""#
      + #","avatar":"a/\#(number % 5000).jpg"\#(location),"photo":{"url":"p/\#(number).jpg","size":[1080,1350]}"#
      + #","caption":"\#(words.text(words: 3 + random.below(20), &random))","comments":[\#(comments)]}"#
  }

  private init(_ name: String, _ archive: OwnedBytes, _ lines: [String], isCold: Bool = false) {
    func bytes(_ lines: some Sequence<String>) -> [UInt8] { lines.flatMap { Array("\($0)\n".utf8) } }
    self.name = name
    self.archive = archive
    rows = bytes(lines[(lines.count / 2)...])
    warmUp = isCold ? [] : bytes(lines[..<(lines.count / 2)])
  }

  // MARK: On disk

  func save(to directory: URL) throws {
    try archive.withBytes { try Data($0).write(to: directory.appendingPathComponent("program")) }
    try Data(rows).write(to: directory.appendingPathComponent("rows"))
    try Data(warmUp).write(to: directory.appendingPathComponent("warm-up"))
  }

  init(_ name: String, savedTo directory: URL) throws {
    func read(_ file: String) throws -> [UInt8] {
      Array(try Data(contentsOf: directory.appendingPathComponent(file)))
    }
    let program = try read("program")
    self.name = name
    archive = OwnedBytes(copying: program)
    rows = try read("rows")
    warmUp = try read("warm-up")
  }

  private static func repeated(_ path: String, _ count: Int) throws -> [String] {
    let rows = try lines(path)
    return (0..<count).map { row in
      rows[row % rows.count].replacing(#/"id": *"[^"]*"/#, with: #""id":"\#(row)""#)
    }
  }

  private static func lines(_ path: String) throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
  }
}
