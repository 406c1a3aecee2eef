/// The rows that a list needs at a position.
public struct PrefetchAnswer: Equatable, Sendable {
  /// The rows in the viewport.
  public let visible: RowRanges
  /// The rows to display: to decode and draw.
  public let display: RowRanges
  /// The rows to preload: to fetch from the network or the disk.
  public let preload: RowRanges
  /// Whether to ask for the next rows.
  public let fetchesNextBatch: Bool
  /// The points between the viewport's end and that of the content. The number is negative if the viewport ends beyond
  /// the content.
  public let remaining: Double
  /// The seconds until the viewport is at the content's end, if the query has a velocity towards it and the remaining
  /// points decide whether to ask for rows. An application may ask for them by this time instead.
  public let remainingTime: Double?
}

/// A range around the viewport, from the most urgent to the least.
public enum PrefetchRange: String, CaseIterable, Sendable {
  case visible, display, preload
}

/// A resource that a list needs.
public struct PrefetchResource: Equatable, Sendable {
  /// The first row in the order of need that shows the resource.
  public let row: Int
  /// The name and the type of the node that shows it.
  public let node, type: String
  public let url: String
  /// The size to ask a server for: the one with the largest area that any row of the answer needs.
  public internal(set) var pixelWidth, pixelHeight: Int
  /// The range of the row.
  public let range: PrefetchRange
}

/// Resources in the order of need, each URL once.
struct PrefetchOrder {
  private(set) var resources: [PrefetchResource] = []
  /// The index in `resources` of each URL.
  private var indices: [UTF8Key: Int] = [:]

  /// Appends the resources of rows.
  ///
  /// - Parameters:
  ///   - part: The resources in ascending order of the rows.
  ///   - isReversed: Whether the last row is needed first. The resources of one row keep their order.
  mutating func append(_ part: [Resource], _ range: PrefetchRange, isReversed: Bool) {
    guard isReversed else {
      for resource in part { append(resource, range) }
      return
    }
    var end = part.count
    while end > 0 {
      var start = end - 1
      while start > 0, part[start - 1].row == part[start].row { start -= 1 }
      for resource in part[start..<end] { append(resource, range) }
      end = start
    }
  }

  private mutating func append(_ resource: Resource, _ range: PrefetchRange) {
    let url = UTF8Key(resource.url)
    guard let index = indices[url] else {
      indices[url] = resources.count
      resources.append(
        PrefetchResource(
          row: resource.row, node: resource.node, type: resource.type, url: resource.url,
          pixelWidth: resource.pixelWidth, pixelHeight: resource.pixelHeight, range: range))
      return
    }
    // Both sides of a size have at most 32 bits, so that an area has at most 64.
    let known = UInt64(resources[index].pixelWidth) * UInt64(resources[index].pixelHeight)
    guard UInt64(resource.pixelWidth) * UInt64(resource.pixelHeight) > known else { return }
    resources[index].pixelWidth = resource.pixelWidth
    resources[index].pixelHeight = resource.pixelHeight
  }
}
