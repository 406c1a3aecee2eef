extension TextMeasurer {
  /// A stretch of a line in one direction. The positions of its glyphs are relative to its own left end.
  struct DirectionalRun {
    let level: UInt8
    var glyphs: [PlacedGlyph] = []
    var attachment: PlacedAttachment?
    var width = 0.0
    /// The part of the width that justification adds. Tab stops do not depend on it.
    var stretch = 0.0
    var isTab = false
    /// The units of the text, or none for a hyphen and the truncation string.
    var units = 0..<0
    /// The first unit, the first glyph and the left end of each cluster, in visual order.
    var clusters: [(unit: Int, glyph: Int, x: Double)] = []

    /// Returns the positions of the ends of some of its units, or nil if none of them begins a cluster.
    func ends(of part: Range<Int>) -> (left: Double, right: Double)? {
      guard part != units else { return (0, width) }
      let indices = clusters.indices.filter { part.contains(clusters[$0].unit) }
      guard let first = indices.first, let last = indices.last else { return nil }
      return (clusters[first].x, last + 1 < clusters.count ? clusters[last + 1].x : width)
    }

    /// Moves the clusters and their glyphs to where the advances of units put them.
    mutating func place(_ advance: (Range<Int>) -> Double) {
      guard !clusters.isEmpty else { return }
      var x = 0.0
      for index in clusters.indices {
        let cluster = clusters[index]
        // The cluster that comes next in the text is on the left of a cluster from right to left.
        let next = index + (level & 1 == 0 ? 1 : -1)
        let end = clusters.indices.contains(next) ? clusters[next].unit : units.upperBound
        let lastGlyph = index + 1 < clusters.count ? clusters[index + 1].glyph : glyphs.count
        for glyph in cluster.glyph..<lastGlyph { glyphs[glyph].x += x - cluster.x }
        clusters[index].x = x
        x += advance(cluster.unit..<max(cluster.unit, end))
      }
      width = x
      stretch = 0
    }
  }
}
