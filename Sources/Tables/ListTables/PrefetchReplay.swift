/// A simulation of a scroll: which resources are there when they become visible, if they are loaded by the rules of
/// `PrefetchPlanner`?
///
/// The simulation plans at each line of the scroll. One connection loads one resource after the other in the order of
/// need, and each takes the latency plus its bytes divided by the bandwidth. At the next line the resources that are not
/// begun are planned again, so that those that are no longer needed are dropped. A resource that is begun is loaded
/// completely. A URL is loaded once, in the size that it has in the plan when it is begun. After the last line, only what
/// is visible there is loaded.
///
/// `ScrollQueries` states the direction and the mode at each line.
public struct PrefetchReplay {
  /// A line of a scroll.
  public struct Line: Equatable, Sendable {
    /// The time in seconds. It is not less than that of the line before.
    public let time: Double
    /// The offset of the viewport in points.
    public let offset: Double

    public init(time: Double, offset: Double) {
      self.time = time
      self.offset = offset
    }
  }

  /// The connection that loads resources.
  public struct Connection: Equatable, Sendable {
    /// The bytes per second.
    public let bandwidth: Double
    /// The seconds between a request and the first byte of its reply.
    public let latency: Double
    /// The bytes of a resource per pixel of the size that is requested. JPEG files of photos have about 0.25.
    public let bytesPerPixel: Double

    /// Returns nil if the bandwidth is not above 0, or another number is negative or not finite. The bandwidth may be
    /// infinite.
    public init?(bandwidth: Double, latency: Double, bytesPerPixel: Double) {
      guard bandwidth > 0, latency >= 0, latency.isFinite, bytesPerPixel >= 0, bytesPerPixel.isFinite else {
        return nil
      }
      self.bandwidth = bandwidth
      self.latency = latency
      self.bytesPerPixel = bytesPerPixel
    }

    func bytes(of resource: PrefetchResource) -> Double {
      Double(resource.pixelWidth) * Double(resource.pixelHeight) * bytesPerPixel
    }

    func seconds(forBytes bytes: Double) -> Double { latency + bytes / bandwidth }
  }

  /// A resource that is loaded.
  private struct Load {
    /// The time at which the last byte is received.
    let end: Double
    let bytes: Double
  }

  private let planner: PrefetchPlanner
  private let cursor: PrefetchCursor
  private let connection: Connection
  private var queries: ScrollQueries
  private var loads: [UTF8Key: Load] = [:]
  /// The time from which the connection is free.
  private var freeTime = -Double.infinity
  /// The time at which each URL became visible.
  private var visibleTimes: [UTF8Key: Double] = [:]

  /// Simulates a scroll.
  ///
  /// - Parameters:
  ///   - lines: The scroll, in the order of time.
  ///   - viewport: The length of the viewport along the axis of the list in points.
  ///   - display: The extent of the display range in mode full, if it is not Texture's.
  ///   - preload: Likewise, of the preload range.
  /// - Throws: `TableError` if the tables are damaged at a row that is needed.
  public static func run(
    _ lines: [Line], viewport: Double, planner: PrefetchPlanner, connection: Connection,
    display: TuningParameters? = nil, preload: TuningParameters? = nil
  ) throws(TableError) -> PrefetchReplayResult {
    let queries = ScrollQueries(planner.placement.axis, viewport: viewport, display: display, preload: preload)
    var replay = PrefetchReplay(planner: planner, connection: connection, queries: queries)
    try replay.run(lines)
    return replay.result
  }

  private init(planner: PrefetchPlanner, connection: Connection, queries: ScrollQueries) {
    self.planner = planner
    cursor = planner.cursor()
    self.connection = connection
    self.queries = queries
  }

  private mutating func run(_ lines: [Line]) throws(TableError) {
    for (index, line) in lines.enumerated() {
      let query = queries.query(at: line.offset)
      let resources = try planner.resources(of: planner.answer(query), for: query, cursor)
      for resource in resources where resource.range == .visible {
        let url = UTF8Key(resource.url)
        if visibleTimes[url] == nil { visibleTimes[url] = line.time }
      }
      if index + 1 < lines.count {
        load(resources, from: line.time, until: lines[index + 1].time)
      } else {
        load(resources.filter { $0.range == .visible }, from: line.time, until: .infinity)
      }
    }
  }

  /// Loads resources that are not loaded yet. Those that cannot begin before the end are not loaded.
  private mutating func load(_ resources: [PrefetchResource], from start: Double, until end: Double) {
    freeTime = max(freeTime, start)
    for resource in resources {
      let url = UTF8Key(resource.url)
      if loads[url] != nil { continue }
      // A load that takes no time is also done at a line that has the time of the next one.
      guard freeTime < end || freeTime == start else { return }
      let bytes = connection.bytes(of: resource)
      freeTime += connection.seconds(forBytes: bytes)
      loads[url] = Load(end: freeTime, bytes: bytes)
    }
  }

  private var result: PrefetchReplayResult {
    var late: [PrefetchReplayResult.Late] = []
    var neverCount = 0
    for (url, time) in visibleTimes {
      guard let load = loads[url] else {
        neverCount += 1
        continue
      }
      if load.end > time { late.append(PrefetchReplayResult.Late(time: time, delay: load.end - time)) }
    }
    let unused = loads.filter { visibleTimes[$0.key] == nil }
    return PrefetchReplayResult(
      visibleCount: visibleTimes.count, delays: late.map(\.delay).sorted(),
      lateTimes: late.sorted { ($0.time, $0.delay) < ($1.time, $1.delay) },
      neverLoadedCount: neverCount, loadedCount: loads.count,
      loadedBytes: loads.values.map(\.bytes).sorted().reduce(0, +), unusedCount: unused.count,
      unusedBytes: unused.values.map(\.bytes).sorted().reduce(0, +))
  }
}

/// What a simulated scroll has shown. A resource is a URL.
public struct PrefetchReplayResult: Equatable, Sendable {
  /// A resource that was not loaded when it became visible.
  public struct Late: Equatable, Sendable {
    /// The time in seconds at which it became visible.
    public let time: Double
    /// The seconds after which it was loaded.
    public let delay: Double
  }

  /// The number of resources that became visible.
  public let visibleCount: Int
  /// The number of those that were loaded when they became visible, or before.
  public var readyCount: Int { visibleCount - lateTimes.count - neverLoadedCount }
  /// The seconds by which the others were late, in ascending order.
  public let delays: [Double]
  /// The others in the order in which they became visible.
  public let lateTimes: [Late]
  /// The number of resources that became visible, but left the viewport before they were begun, and were not needed
  /// again.
  public let neverLoadedCount: Int
  /// The number and the bytes of all resources that were loaded.
  public let loadedCount: Int
  public let loadedBytes: Double
  /// The number and the bytes of resources that were loaded and never became visible.
  public let unusedCount: Int
  public let unusedBytes: Double

  /// Returns the delay in seconds that a part of the late resources does not exceed, by the nearest rank, or nil if none
  /// was late.
  ///
  /// - Parameter part: The part of the late resources, above 0 and at most 1.
  public func delay(atQuantile part: Double) -> Double? {
    guard !delays.isEmpty, part > 0, part <= 1 else { return nil }
    return delays[Int((part * Double(delays.count)).rounded(.up)) - 1]
  }
}
