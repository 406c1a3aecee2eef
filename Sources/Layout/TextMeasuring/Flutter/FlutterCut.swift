/// The search for the place at which the truncation text ends the last line that is shown. Source: SkParagraph's
/// `TextLine::createEllipsis`.
///
/// Clusters are taken from the end of the line until the truncation text fits. Its width depends on the style of the cluster
/// that it follows, so that the search stops where that changes.
struct FlutterCut {
  /// The index after the last cluster that is kept.
  private var end: Int
  /// The index of the first cluster of the line.
  let start: Int
  private var width: Float
  private let limit: Float

  init(_ line: FlutterLineFiller.Line, limit: Float) {
    start = line.start
    end = line.next
    width = line.filledWidth
    self.limit = limit
  }

  /// The index of the cluster in whose style the truncation text is measured next.
  var cluster: Int { end - 1 }

  /// The state of the search.
  enum Result {
    /// The truncation text follows the clusters up to an index, which have a width.
    case found(end: Int, width: Float)
    /// The clusters up to an index are left, whose style differs.
    case styleChanges
    /// The line does not have the room for the truncation text and is empty.
    case nothingFits
  }

  /// Takes clusters of one item away until a truncation text of a width fits.
  mutating func search(_ truncation: Float, in clusters: UnsafeBufferPointer<FlutterCluster>) -> Result {
    let item = clusters[end - 1].item
    let fitsAlone = truncation <= limit
    while end > start && clusters[end - 1].item == item {
      if fitsAlone && width + truncation <= limit { return .found(end: end, width: width) }
      if fitsAlone { width -= clusters[end - 1].width }
      end -= 1
    }
    return end > start ? .styleChanges : .nothingFits
  }
}
