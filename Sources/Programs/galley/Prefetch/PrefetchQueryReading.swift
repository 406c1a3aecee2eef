import Buffers
import CellTemplates
import ListTables

/// The members that a query has if its line does not state them, from the options of the command.
struct PrefetchQueryDefaults {
  var offset: Double?
  var viewport: Double?
  var direction: ScrollDirection?
  var mode: RangeMode
  var display: TuningParameters?
  var preload: TuningParameters?
  var leadingScreensForBatching: Double
  var isFetching: Bool
  var isHidden: Bool
  var velocity: Double?

  /// The query of the options alone, or nil if it lacks an offset or a viewport.
  var query: PrefetchQuery? {
    guard let offset, let viewport else { return nil }
    return PrefetchQuery(
      offset: offset, viewport: viewport, direction: direction, mode: mode, display: display, preload: preload,
      leadingScreensForBatching: leadingScreensForBatching, isFetching: isFetching, isHidden: isHidden,
      velocity: velocity)
  }
}

/// Reads queries, one JSON object a line.
struct PrefetchQueryReader {
  private let parser = JSONParser()
  private let defaults: PrefetchQueryDefaults

  private static let example = #"{"offset": 12000, "viewport": 844}"#
  private static let keys = [
    "offset", "viewport", "direction", "mode", "display", "preload", "leading_screens_for_batching", "fetching",
    "hidden", "velocity",
  ]

  private let axis: ListAxis

  /// - Parameter axis: The axis of the list, which has the directions of queries.
  init(_ defaults: PrefetchQueryDefaults, _ axis: ListAxis) {
    self.defaults = defaults
    self.axis = axis
  }

  /// Returns the query of a line. `JSONParser.padding` bytes behind the line must be readable.
  func query(_ line: ByteString) throws(PrefetchLineError) -> PrefetchQuery {
    var query = defaults
    try PrefetchObject.forEachMember(of: line, parser, example: Self.example) {
      (key, value) throws(PrefetchLineError) in
      switch key {
      case "offset": query.offset = try PrefetchObject.points(value, "offset")
      case "viewport":
        let viewport = try PrefetchObject.points(value, "viewport")
        guard viewport >= 0 else {
          throw PrefetchLineError("viewport is \(viewport); write 0 or more points")
        }
        query.viewport = viewport
      case "direction": query.direction = try Self.choice(value, "direction", among: axis.directions)
      case "mode": query.mode = try Self.choice(value, "mode", among: RangeMode.allCases)
      case "display": query.display = try Self.parameters(value, "display")
      case "preload": query.preload = try Self.parameters(value, "preload")
      case "leading_screens_for_batching":
        guard let screens = value.number else {
          throw PrefetchLineError("leading_screens_for_batching must be a number of viewports, such as 2")
        }
        query.leadingScreensForBatching = screens
      case "fetching": query.isFetching = try Self.flag(value, "fetching")
      case "hidden": query.isHidden = try Self.flag(value, "hidden")
      case "velocity":
        guard let velocity = value.number else {
          throw PrefetchLineError("velocity must be a number of points per millisecond, such as 1.5")
        }
        query.velocity = velocity
      default: throw PrefetchObject.unknown(key, "a query", Self.keys)
      }
    }
    guard let complete = query.query else {
      let missing = query.offset == nil ? "offset" : "viewport"
      throw PrefetchLineError("\(missing) is missing; write it in the query, or give --\(missing)")
    }
    return complete
  }

  private static func choice<Choice: RawRepresentable<String> & Equatable>(
    _ value: JSONValue, _ key: String, among choices: [Choice]
  ) throws(PrefetchLineError) -> Choice {
    if let name = value.string?.string, let choice = Choice(rawValue: name), choices.contains(choice) { return choice }
    let names = choices.map { "\"\($0.rawValue)\"" }
    throw PrefetchLineError("\(key) must be one of \(names.joined(separator: ", "))")
  }

  private static func flag(_ value: JSONValue, _ key: String) throws(PrefetchLineError) -> Bool {
    guard let flag = value.boolean else { throw PrefetchLineError("\(key) must be true or false") }
    return flag
  }

  private static func parameters(_ value: JSONValue, _ key: String) throws(PrefetchLineError) -> TuningParameters {
    var numbers: [Double] = []
    value.forEachElement { _, element in numbers.append(element.number ?? .nan) }
    guard let parameters = TuningParameters(numbers) else {
      throw PrefetchLineError(
        "\(key) must be two numbers of viewports, ahead and behind, such as [1, 0.5]; none is negative")
    }
    return parameters
  }
}
