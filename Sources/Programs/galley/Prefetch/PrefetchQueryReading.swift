import Buffers
import CellTemplates
import ListTables

/// A query that can lack its offset and its viewport: what the options of the command state, to which a line adds its members.
struct IncompletePrefetchQuery {
  var offset: Double?
  var viewport: Double?
  /// The other members.
  var rest: PrefetchQuery

  /// The query, or nil if it lacks an offset or a viewport.
  var complete: PrefetchQuery? {
    guard let offset, let viewport else { return nil }
    var query = rest
    (query.offset, query.viewport) = (offset, viewport)
    return query
  }
}

/// Reads queries, one JSON object a line.
struct PrefetchQueryReader {
  private let parser = JSONParser()
  private let defaults: IncompletePrefetchQuery

  private static let example = #"{"offset": 12000, "viewport": 844}"#
  private static let keys = [
    "offset", "viewport", "direction", "mode", "display", "preload", "leading_screens_for_batching", "fetching",
    "hidden", "velocity",
  ]

  private let axis: ListAxis

  /// - Parameter axis: The axis of the list, which has the directions of queries.
  init(_ defaults: IncompletePrefetchQuery, _ axis: ListAxis) {
    self.defaults = defaults
    self.axis = axis
  }

  /// Returns the query of a line. `JSONParser.padding` bytes behind the line must be readable.
  func query(_ line: ByteString) throws(CellError) -> PrefetchQuery {
    var query = defaults
    try PrefetchObject.forEachMember(of: line, parser, example: Self.example) {
      (key, value) throws(CellError) in
      switch key {
      case "offset": query.offset = try PrefetchObject.points(value, "offset")
      case "viewport":
        let viewport = try PrefetchObject.points(value, "viewport")
        guard viewport >= 0 else {
          throw CellError("viewport is \(viewport); write 0 or more points")
        }
        query.viewport = viewport
      case "direction": query.rest.direction = try Self.choice(value, "direction", among: axis.directions)
      case "mode": query.rest.mode = try Self.choice(value, "mode", among: RangeMode.allCases)
      case "display": query.rest.display = try Self.parameters(value, "display")
      case "preload": query.rest.preload = try Self.parameters(value, "preload")
      case "leading_screens_for_batching":
        guard let screens = value.number else {
          throw CellError("leading_screens_for_batching must be a number of viewports, such as 2")
        }
        query.rest.leadingScreensForBatching = screens
      case "fetching": query.rest.isFetching = try Self.flag(value, "fetching")
      case "hidden": query.rest.isHidden = try Self.flag(value, "hidden")
      case "velocity":
        guard let velocity = value.number else {
          throw CellError("velocity must be a number of points per millisecond, such as 1.5")
        }
        query.rest.velocity = velocity
      default: throw PrefetchObject.unknown(key, "a query", Self.keys)
      }
    }
    guard let complete = query.complete else {
      let missing = query.offset == nil ? "offset" : "viewport"
      throw CellError("\(missing) is missing; write it in the query, or give --\(missing)")
    }
    return complete
  }

  private static func choice<Choice: RawRepresentable<String> & Equatable>(
    _ value: JSONValue, _ key: String, among choices: [Choice]
  ) throws(CellError) -> Choice {
    if let name = value.string?.string, let choice = Choice(rawValue: name), choices.contains(choice) { return choice }
    let names = choices.map { "\"\($0.rawValue)\"" }
    throw CellError("\(key) must be one of \(names.joined(separator: ", "))")
  }

  private static func flag(_ value: JSONValue, _ key: String) throws(CellError) -> Bool {
    guard let flag = value.boolean else { throw CellError("\(key) must be true or false") }
    return flag
  }

  private static func parameters(_ value: JSONValue, _ key: String) throws(CellError) -> TuningParameters {
    var numbers: [Double] = []
    value.forEachElement { _, element in numbers.append(element.number ?? .nan) }
    guard let parameters = TuningParameters(numbers) else {
      throw CellError(
        "\(key) must be two numbers of viewports, ahead and behind, such as [1, 0.5]; each is from 0 to 1,000,000")
    }
    return parameters
  }
}
