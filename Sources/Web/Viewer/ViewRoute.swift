import Buffers
import HTTPServing
import LayoutEngine
import ListTables

/// The headers of documents, which are of one revision and are not kept by browsers.
let jsonHeaders = [(name: "content-type", value: "application/json"), (name: "cache-control", value: "no-store")]

/// A request for something of one revision of the list.
struct ViewRoute: Sendable {
  /// Writes the response.
  private let work: @Sendable (ResponseStream) throws -> Void
}

extension ViewRoute {
  /// The greatest number of rows that are listed.
  private static let maxListed = 1000

  /// Returns the route of a path, or nil if there is nothing at the path.
  ///
  /// - Throws: `Problem` for a variant or row that the list does not have, another revision and bad numbers.
  init?(_ path: [String], _ query: QueryReader, _ list: ViewedList) throws(Problem) {
    try Self.check(query, list)
    switch (path[0], path.count) {
    case ("heights", 2):
      let heights = try list.variant(path[1]).tables.heights
      self = ViewRoute { try Self.write(heights, to: $0) }
    case ("cells", 2):
      let document = CellsDocument(variant: try list.variant(path[1]), texts: list.texts)
      let rows = try Self.rows(query, list)
      self = ViewRoute { try document.write(rows, to: $0) }
    case ("inspect", 3): self = try Self.inspection(path, list)
    case ("fonts", 2):
      guard let index = Int(path[1]), let face = list.texts?.fonts.face(index), query.value("version") == face.version
      else { return nil }
      self = ViewRoute { try Self.write(face, to: $0) }
    case ("find", 1): self = try .find(query, list)
    case ("errors", 1):
      let count = try query.integer("count", 0...Self.maxListed, default: 200)
      let variants = list.run.variants
      self = .document { try RowSearch.errors(variants, count).append(to: &$0) }
    case ("tallest", 2):
      let variant = try list.variant(path[1])
      let count = try query.integer("count", 0...Self.maxListed, default: 50)
      self = .document { try RowSearch.tallest(variant.tables.heights, count).append(to: &$0) }
    case ("histogram", 2):
      let variant = try list.variant(path[1])
      self = .document { list.distribution(variant).append(to: &$0) }
    case ("changes", 2): self = try .changes(list.variant(path[1]), list)
    case ("prefetch", 2): self = try .prefetch(list.variant(path[1]), query)
    case ("replay", 2): self = try .replay(list.variant(path[1]), query, list)
    default: return nil
    }
  }

  /// Throws a `Problem` if the page asks for another revision of the list than the current one.
  private static func check(_ query: QueryReader, _ list: ViewedList) throws(Problem) {
    guard let revision = query.value("revision"), revision != "\(list.revision)" else { return }
    throw Problem(
      409, "Other revision",
      "The server has another layout of the list: its revision is \(list.revision), not \(revision).",
      headers: [("galley-revision", "\(list.revision)")])
  }

  private static func rows(_ query: QueryReader, _ list: ViewedList) throws(Problem) -> Range<Int> {
    let first = try query.integer("first", 0...list.run.rowCount)
    let end = try query.integer("end", first...max(first, list.run.rowCount))
    guard end - first <= CellsDocument.maxRows else {
      throw Problem(
        400, "Too many rows",
        "The rows \(first) to \(end) are more than \(CellsDocument.maxRows); ask for fewer at once.")
    }
    return first..<end
  }

  private static func inspection(_ path: [String], _ list: ViewedList) throws(Problem) -> ViewRoute {
    let variant = try list.variant(path[1])
    guard let row = Int(path[2]), (0..<list.run.rowCount).contains(row) else {
      throw Problem(404, "No such row", "The list has no row \(path[2]); it has \(list.run.rowCount) rows, from 0.")
    }
    guard let texts = list.texts, variant.numbers != nil else {
      throw Problem(
        404, "No texts",
        "A row can be inspected if galley view is given the rows and their cells file: --rows, --cells.")
    }
    return .document { try texts.inspection(of: row, variant).append(to: &$0) }
  }

  private static func find(_ query: QueryReader, _ list: ViewedList) throws(Problem) -> ViewRoute {
    guard let id = query.value("id") else { throw Problem(400, "Incomplete query", "id is missing in the query.") }
    let heights = list.run.variants[0].tables.heights
    return .document { json in
      guard let row = try heights.firstRow(withID: id) else {
        throw Problem(404, "No such row", "The list has no row with the id \(id).")
      }
      json.append(#"{"row":"#, row)
      json.append("}")
    }
  }

  private static func changes(_ variant: ViewedRun.Variant, _ list: ViewedList) throws(Problem) -> ViewRoute {
    guard let base = list.base else {
      throw Problem(404, "Nothing to compare with", "Give galley view the tables of an earlier run: --base DIR.")
    }
    guard let old = base.variant(named: variant.name) else {
      throw Problem(404, "No such variant", "The earlier run has no variant \(variant.name).")
    }
    return .document { try list.changes(variant, from: old).append(to: &$0) }
  }

  private static func prefetch(_ variant: ViewedRun.Variant, _ query: QueryReader) throws(Problem) -> ViewRoute {
    let direction = query.value("direction") ?? "down"
    guard let direction = ScrollDirection(rawValue: direction), ListAxis.vertical.directions.contains(direction) else {
      throw Problem(400, "Bad direction", "direction is \(direction); write down or up.")
    }
    let mode = query.value("mode") ?? "full"
    guard let mode = RangeMode(rawValue: mode) else {
      let modes = RangeMode.allCases.map(\.rawValue).joined(separator: ", ")
      throw Problem(400, "Bad mode", "mode is \(mode); write one of \(modes).")
    }
    let question = PrefetchQuery(
      offset: try query.points("offset"), viewport: try query.points("viewport", atLeast: 0), direction: direction,
      mode: mode)
    return .document { json in
      try PrefetchAnswerWriter(PrefetchPlanner(variant.tables), hasResources: true).append(question, to: &json)
    }
  }

  private static func replay(
    _ variant: ViewedRun.Variant, _ query: QueryReader, _ list: ViewedList
  ) throws(Problem) -> ViewRoute {
    guard let replay = list.replay else {
      throw Problem(404, "Nothing to simulate", "Give galley view a scroll to simulate: --replay FILE.")
    }
    let viewport = try query.points("viewport", atLeast: 1, default: ViewedReplay.viewport)
    return .document { try replay.run(variant.tables, viewport: viewport, to: &$0) }
  }

  // MARK: Responses

  /// Writes the response on a thread that may wait.
  func respond(_ response: ResponseStream) {
    do { try work(response) } catch is ResponseStream.Closed {
      // Nobody waits for the response any longer.
    } catch is CancellationError {
      // Likewise.
    } catch {
      response.respond(Self.problem(error).response)
    }
  }

  private static func problem(_ error: any Error) -> Problem {
    switch error {
    case let problem as Problem: problem
    case let error as TableError: Problem(500, "Unusable tables", "\(error).")
    case let problem as ViewedProblem: Problem(409, "Other rows or cells", "\(problem.message).")
    default: Problem(500, "Failure", "\(error)")
    }
  }

  /// Returns the route of a document that a function writes as JSON.
  private static func document(_ body: @escaping @Sendable (inout JSONText) throws -> Void) -> ViewRoute {
    ViewRoute { response in
      var json = JSONText()
      try body(&json)
      response.setHead(headers: jsonHeaders)
      try response.write([json.bytes])
      response.finish()
    }
  }

  /// Writes the heights as they are in the table.
  private static func write(_ heights: Heights, to response: ResponseStream) throws {
    let size = heights.rowCount * MemoryLayout<Float>.size
    response.setHead(headers: [
      ("content-type", "application/octet-stream"), ("cache-control", "no-store"), ("content-length", "\(size)"),
    ])
    try heights.forEachRun(0..<heights.rowCount) { columns, rows in
      try response.write([columns.height.bytes(rows)])
    }
    response.finish()
  }

  private static func write(_ face: ViewedFonts.Face, to response: ResponseStream) throws {
    response.setHead(headers: [
      ("content-type", face.type), ("cache-control", "public, max-age=31536000, immutable"),
    ])
    try face.withBytes { (bytes) throws(ResponseStream.Closed) in try response.write([bytes]) }
    response.finish()
  }
}
