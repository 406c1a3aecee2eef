import ArgumentParser
import Buffers
import ListTables

struct PrefetchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prefetch",
    abstract: "Print which rows and resources a list needs at an offset, or simulate how a scroll loads them.",
    discussion: """
      Examples:
        galley prefetch tables/w390 --offset 12000 --viewport 844
        galley prefetch tables/w390 --viewport 844 --queries scroll.jsonl
        galley prefetch tables/w390 --viewport 844 --replay scroll.jsonl --bandwidth 500000
        galley prefetch tables/w390 --viewport 844 --replay scroll.jsonl --events
      A query is a JSON object such as {"offset": 12000, "viewport": 844, "direction": "down"}. Its members override the
      options of the command line.
      Exit code 3: some queries are bad; their answers have the member "error".
      """)

  @Argument(help: "The directory of a variant, such as tables/w390.", completion: .directory)
  var tables: String

  @Option(help: "The offset of the viewport's top, or of its left edge, in points.")
  var offset: Double?

  @Option(help: "The height of the viewport in points, or its width.")
  var viewport: Double?

  @Option(
    help: ArgumentHelp(
      "The direction in which the viewport moves on the screen: down, up, right or left (default: to the last row)."))
  var direction: ScrollDirection?

  @Option(help: "The mode of the ranges: full (the default), minimum, visibleOnly or lowMemory.")
  var mode: RangeMode?

  @Option(
    help: ArgumentHelp(
      "The extent of the display range in viewports, ahead and behind, such as 1,0.5.", valueName: "leading,trailing"),
    transform: { try TuningParameters(argument: $0) })
  var display: TuningParameters?

  @Option(
    help: ArgumentHelp("The extent of the preload range, such as 2.5,1.5.", valueName: "leading,trailing"),
    transform: { try TuningParameters(argument: $0) })
  var preload: TuningParameters?

  @Option(
    help: "The distance from the list's end, in viewports, at which it asks for more rows (default: 2).")
  var leadingScreensForBatching: Double?

  @Flag(help: "The list is fetching rows already, so that it asks for no others.")
  var fetching = false

  @Flag(help: "The list is in no window, so that it asks for more rows only if it has fewer than fill the viewport.")
  var hidden = false

  @Option(
    help: "The velocity towards the list's end in points per millisecond; the answer then has the remaining time.")
  var velocity: Double?

  @Flag(help: "Leave the resources out.")
  var noResources = false

  @OptionGroup var list: PrefetchListOptions

  @Flag(help: "Take the rows as they lie below each other, though galley arrange has arranged them.")
  var noArrangement = false

  @Option(
    help: ArgumentHelp(
      "Answer the queries of this file, one JSON object a line; - is standard input.", valueName: "file"),
    completion: .file())
  var queries: String?

  @Option(
    help: ArgumentHelp(
      #"Simulate the scroll of this file, with lines such as {"t": 0.5, "offset": 300}; - is standard input."#,
      valueName: "file"), completion: .file())
  var replay: String?

  @Flag(help: "Print when rows enter and exit the ranges during the scroll of --replay, as callbacks of Texture.")
  var events = false

  @OptionGroup var connection: ReplayConnectionOptions

  @Flag(help: "Print the result of --replay as JSON. Answers of queries are always JSON.")
  var json = false

  func validate() throws {
    guard queries == nil || replay == nil else { throw ValidationError("--queries and --replay exclude each other") }
    if let direction, !list.axis.directions.contains(direction) {
      let names = list.axis.directions.map(\.rawValue).joined(separator: " or ")
      throw ValidationError("--direction is \(direction.rawValue), but the list scrolls \(names)")
    }
    try PrefetchLimits.check(offset, "--offset")
    try PrefetchLimits.check(viewport, "--viewport")
    if let viewport, viewport < 0 { throw ValidationError("--viewport is \(viewport); write 0 or more points") }
    if let screens = leadingScreensForBatching, !screens.isFinite {
      throw ValidationError("--leading-screens-for-batching is \(screens); write a number of viewports, such as 2")
    }
    if let velocity, !velocity.isFinite {
      throw ValidationError("--velocity is \(velocity); write a number of points per millisecond, such as 1.5")
    }
    if replay != nil { return try validateReplay() }
    if let option = connection.firstGiven ?? (events ? "--events" : nil) {
      throw ValidationError("\(option) is for --replay")
    }
    guard queries == nil else { return }
    if offset == nil { throw ValidationError("Missing expected argument '--offset <offset>'") }
    if viewport == nil { throw ValidationError("Missing expected argument '--viewport <viewport>'") }
  }

  private func validateReplay() throws {
    let ignored = [
      ("--offset", offset != nil), ("--direction", direction != nil), ("--mode", mode != nil),
      ("--leading-screens-for-batching", leadingScreensForBatching != nil), ("--fetching", fetching),
      ("--hidden", hidden), ("--velocity", velocity != nil), ("--no-resources", noResources),
    ]
    if let option = ignored.first(where: \.1) {
      throw ValidationError("\(option.0) has no effect with --replay; leave it out")
    }
    guard let viewport else { throw ValidationError("Missing expected argument '--viewport <viewport>'") }
    guard viewport > 0 else { throw ValidationError("--viewport is 0; a scroll needs one above 0") }
    if events, let option = connection.firstGiven ?? (json ? "--json" : nil) {
      throw ValidationError("\(option) has no effect with --events; leave it out")
    }
    _ = try connection.connection()
  }

  func run() throws {
    let tables = try MappedTables(tables)
    let planner = PrefetchPlanner(tables, placement: try list.placement(tables, isArranged: !noArrangement))
    if let replay { return try self.replay(replay, planner) }
    let defaults = IncompletePrefetchQuery(
      offset: offset, viewport: viewport,
      rest: PrefetchQuery(
        offset: 0, viewport: 0, direction: direction, mode: mode ?? .full, display: display, preload: preload,
        leadingScreensForBatching: leadingScreensForBatching ?? 2, isFetching: fetching, isHidden: hidden,
        velocity: velocity))
    if let queries {
      let input = try PrefetchInput(queries)
      var stream = try PrefetchQueryStream(input, planner, defaults, hasResources: !noResources)
      guard try stream.run() == 0 else { throw ExitCode(ExitStatus.badRows) }
    } else if let query = defaults.complete {
      var output = try ResultOutput()
      try PrefetchAnswerWriter(planner, hasResources: !noResources).append(query, to: &output.text)
      try output.finish()
    }
  }

  private func replay(_ file: String, _ planner: PrefetchPlanner) throws {
    let lines = try PrefetchScroll.lines(of: try PrefetchInput(file))
    guard !events else {
      let queries = ScrollQueries(planner.placement.axis, viewport: viewport ?? 0, display: display, preload: preload)
      return try PrefetchEvents.print(lines, planner, queries)
    }
    let connection = try connection.connection()
    let result = try PrefetchReplay.run(
      lines, viewport: viewport ?? 0, planner: planner, connection: connection, display: display, preload: preload)
    if json { try Results.write(result.json() + "\n") } else { try Results.print(result.text(connection)) }
  }
}

/// The options of the connection of a simulated scroll.
struct ReplayConnectionOptions: ParsableArguments {
  /// The largest number of bytes per second.
  private static let maxBandwidth = 1e15
  /// The largest number of seconds.
  private static let maxLatency = 1e6
  private static let maxBytesPerPixel = 1e6

  @Option(help: "The bandwidth of the simulated connection in bytes/s (default: 1250000).")
  var bandwidth: Double?

  @Option(help: "The latency of each simulated request in seconds (default: 0.1).")
  var latency: Double?

  @Option(help: "The bytes of a resource per pixel (default: 0.25, as photos in JPEG have).")
  var bytesPerPixel: Double?

  /// The name of an option that is given, or nil if none is.
  var firstGiven: String? {
    [("--bandwidth", bandwidth), ("--latency", latency), ("--bytes-per-pixel", bytesPerPixel)]
      .first { $0.1 != nil }?.0
  }

  /// Returns the connection.
  ///
  /// - Throws: `ValidationError` if a number makes no sense.
  func connection() throws -> PrefetchReplay.Connection {
    let bandwidth = bandwidth ?? 1_250_000
    let latency = latency ?? 0.1
    let bytesPerPixel = bytesPerPixel ?? 0.25
    guard (1...Self.maxBandwidth).contains(bandwidth) else {
      throw ValidationError(
        "--bandwidth is \(bandwidth); write the bytes per second, from 1 to \(shortText(Self.maxBandwidth))")
    }
    guard (0...Self.maxLatency).contains(latency) else {
      throw ValidationError("--latency is \(latency); write the seconds, from 0 to \(shortText(Self.maxLatency))")
    }
    guard (0...Self.maxBytesPerPixel).contains(bytesPerPixel),
      let connection = PrefetchReplay.Connection(
        bandwidth: bandwidth, latency: latency, bytesPerPixel: bytesPerPixel)
    else {
      throw ValidationError(
        "--bytes-per-pixel is \(bytesPerPixel); write a number from 0 to \(shortText(Self.maxBytesPerPixel))")
    }
    return connection
  }
}

extension ScrollDirection: ExpressibleByArgument {}

extension RangeMode: ExpressibleByArgument {}

extension TuningParameters {
  /// Parses an option such as `1,0.5`.
  init(argument: String) throws {
    guard let list = NumberList(argument: argument), let parameters = TuningParameters(list.numbers) else {
      throw ValidationError("write how many viewports lie ahead and behind, such as 1,0.5; each is from 0 to 1,000,000")
    }
    self = parameters
  }

  /// Returns nil unless the numbers are leading and trailing, which are from 0 to the limit.
  init?(_ numbers: [Double]) {
    guard numbers.count == 2, numbers.allSatisfy({ $0 >= 0 && $0 <= PrefetchLimits.viewports }) else { return nil }
    self.init(leading: numbers[0], trailing: numbers[1])
  }
}

/// The limits of numbers in queries.
enum PrefetchLimits {
  /// The largest offset and viewport in points: beyond it, not every whole number has a 64-bit floating-point number.
  static let points = 0x1p53
  /// The largest extent of a range in viewports.
  static let viewports = 1e6

  /// Throws a `ValidationError` if an option is no position in a list.
  static func check(_ points: Double?, _ option: String) throws {
    guard let points, !(abs(points) <= Self.points) else { return }
    let reason = points.isFinite ? ", which no list reaches" : ""
    throw ValidationError("\(option) is \(points)\(reason); write a number of points, such as 844")
  }
}
