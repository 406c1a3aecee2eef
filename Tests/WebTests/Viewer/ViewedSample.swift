import BatchLayout
import Buffers
import CellTemplates
import Foundation
import GalleyTestSupport
import HTTPServing
import Hashing
import LayoutEngine
import LayoutTables
import RowsFiles

@testable import Viewer

/// A list whose tables are laid out from a rows file and a cells file, and a server that shows it.
final class ViewedSample {
  static let cells = #"""
    {"version":1,"fonts":{"body":{"face":0,"size":15,"lineHeight":20},"small":{"face":0,"size":11}},"fallback":[1],
    "cells":{"Post":{"layout":{"type":"inset","insets":8,"child":{"type":"stack","spacing":4,"children":[
    {"type":"text","id":"text","text":"{text}","font":"body","maximumNumberOfLines":3},
    {"type":"networkImage","id":"photo","url":"{url?}","when":"url","style":{"width":"100%","height":80}},
    {"type":"text","id":"likes","text":"{likes} likes","font":"small"}]}}}}}
    """#

  let scratch = Scratch()
  /// The directory of the tables.
  let directory: String
  let rowsPath: String
  let archive: OwnedBytes
  private var server: HTTPServer?

  /// - Parameter rows: The rows as JSON.
  init(
    _ rows: [String], widths: [Double] = [320, 390], hasLines: Bool = false, cells: String = cells,
    name: String = "tables"
  ) throws {
    directory = scratch.path(name)
    rowsPath = try scratch.file("rows.jsonl", rows.map { $0 + "\n" }.joined())
    archive = Programs.archive(
      cells, faces: try ["Inter-Regular.otf", "NotoSansHebrew-Regular.ttf"].map(Programs.face))
    try Self.layOut(rows, archive, widths.map { Variant(width: $0, hasLines: hasLines) }, to: directory)
  }

  deinit { try? server?.stop() }

  /// Lays out rows and writes their tables as `galley layout` does.
  static func layOut(_ rows: [String], _ archive: OwnedBytes, _ variants: [Variant], to directory: String) throws {
    let tables = try BatchTables(
      directory, variants: variants.map { ($0.name, $0.scale) }, types: ElementType.names,
      hasLines: variants.contains(where: \.hasLines))
    try archive.withBytes { bytes in
      let layout = try JobLayout(CellProgram(ProgramArchive(ByteString(bytes))), variants: variants)
      let lines = Programs.keep(Array(rows.map { $0 + "\n" }.joined().utf8))
      let count = layout.layout(lines, firstLine: 1, firstRow: 0)
      let columns = layout.encodedColumns()
      try withExtendedLifetime(columns) { try tables.take(JobTable.checked(columns, rows: count)) }
    }
    let hash = archive.withBytes { hexadecimal(SHA256.hash($0)) }
    try tables.finish { summaries in
      let variants = summaries.map { #"{"name":"\#($0.name)","width":1,"errors":\#($0.badRows)}"# }
      return Array(
        #"""
        {"format":1,"version":"test","input":{"name":"rows.jsonl"},"cells":{"hash":"sha256:\#(hash)"},
        "variants":[\#(variants.joined(separator: ","))]}
        """#.utf8)
    }
  }

  /// Returns the texts of the rows in a file.
  func texts(_ run: ViewedRun, rows path: String? = nil) throws -> ViewedTexts {
    let texts = try ViewedTexts(run, rows: RowsIndex([path ?? rowsPath]), archive: archive) { _ in }
    texts.findRows()
    return texts
  }

  /// Serves the list with its texts.
  func viewer(hasTexts: Bool = true, _ options: ViewService.Options = ViewService.Options()) throws -> ViewService {
    let run = try ViewedRun(directory)
    return try serve(ViewService(run, texts: hasTexts ? texts(run) : nil, options))
  }

  /// Serves a list.
  func serve(_ viewer: ViewService) throws -> ViewService {
    try server?.stop()
    server = try HTTPServer(host: "127.0.0.1", port: 0) { viewer.reply(to: $0) }
    return viewer
  }

  private var port: Int { server.flatMap { $0.address.split(separator: ":").last }.flatMap { Int($0) } ?? 0 }

  /// Returns a connection to the server.
  func client() throws -> HTTPClient { try HTTPClient(port: port) }

  func get(_ target: String, method: String = "GET") throws -> HTTPClient.Response {
    let client = try client()
    client.request(method, target)
    return try client.response(ofHead: method == "HEAD")
  }

  /// Returns a document with JSON.
  func json(_ target: String) throws -> JSON { try JSON(parsing: Data(try get(target).body)) }

  /// Returns rows with texts of different lengths and scripts, some with photos, some bad.
  static func rows(_ count: Int) -> [String] {
    (0..<count).map { row in
      if row % 11 == 10 { return #"{"cell":"Post","id":"post-\#(row)","text":7,"likes":{}}"# }
      let words = ["a list of posts", "שלום עולם", "co\u{ad}operate", "wide", "x"]
      let text = (0..<row * 7 % 23).map { words[($0 + row) % words.count] }.joined(separator: " ")
      let url = row % 3 == 0 ? #","url":"https://img.example/\#(row).jpg""# : ""
      return #"{"cell":"Post","id":"post-\#(row)","text":"\#(text)","likes":\#(row)\#(url)}"#
    }
  }
}
