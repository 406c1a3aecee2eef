import Buffers
import CellsFile
import Foundation

/// Rows with the cells they are laid out by, for the stage report.
struct StageWorkload {
  let name: String
  /// A `ProgramArchive`.
  let archive: ByteBlock
  let rows: [UInt8]

  private static let words = """
    the of and to in that it was for on are with they be at one have this from had by hot but some what there we can out
    other were all your when up use word how said each she which their time will way about many then them would write
    like these her long make thing see him two has look more day could go come did number sound no most people över café
    naïve größer Straße été où привет сегодня мир καλημέρα 今日は ありがとう 東京 สวัสดี 안녕하세요 مرحبا שלום 😀 👍🏽
    """.split(whereSeparator: \.isWhitespace)

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

  /// The photo posts of the demo, the examples' posts and products with other ids each, and synthetic ones.
  ///
  /// - Parameter program: `galley`, which has the demo and the examples.
  static func all(_ program: URL, rows count: Int) throws -> [StageWorkload] {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("galley-stages-\(getpid())").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try run(program, ["examples", directory])
    try run(
      program,
      [
        "demo", "--rows", "\(count)", "--keep-rows", directory + "/feed.jsonl", "--output", directory + "/tables",
        "--quiet",
      ])
    let feed = try lines(directory + "/feed.jsonl")
    func text(_ row: Int, _ length: Int) -> String {
      (0..<length / 6).map { String(words[(row * 31 + $0 * 17 + $0 * row) % words.count]) }.joined(separator: " ")
    }
    let own = try CellsFile(text: cells, path: "bench.yaml").archive
    return [
      try StageWorkload("photo posts", cells: directory + "/demo.yaml", feed),
      try StageWorkload(
        "posts, repeated", cells: directory + "/posts.yaml", repeated(directory + "/posts.jsonl", count)),
      try StageWorkload(
        "products, repeated", cells: directory + "/products.yaml", repeated(directory + "/products.jsonl", count)),
      StageWorkload(
        "chat", own,
        (0..<count).map { #"{"cell":"Chat","name":"\#(words[$0 % words.count])","text":"\#(text($0, 80))"}"# }),
      StageWorkload(
        "a text of 5,000", own, (0..<count / 50).map { #"{"cell":"Long","text":"\#(text($0, 5000))"}"# }),
      StageWorkload(
        "inline layouts", own,
        (0..<count).map {
          #"{"layout":{"type":"inset","insets":8,"child":{"type":"text","text":"\#(text($0, 60))","font":"body"}}}"#
        }),
      StageWorkload(
        "pre-measured cells", own,
        (0..<count).map { #"{"cell":"Measured","w":\#(200 + $0 % 190),"h":\#(100 + $0 % 97)}"# }),
    ]
  }

  private init(_ name: String, _ archive: ByteBlock, _ lines: [String]) {
    self.name = name
    self.archive = archive
    rows = Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  private init(_ name: String, cells: String, _ lines: [String]) throws {
    self.init(name, try CellsFile(cells).archive, lines)
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

  private static func run(_ program: URL, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
  }
}
