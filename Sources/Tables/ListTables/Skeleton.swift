/// A rectangle of the picture of a cell before its contents are there, in points from the top left of the cell.
public struct SkeletonRect: Equatable, Sendable {
  public let x, y, width, height: Double

  /// The height of the bar of a line as a share of the line's.
  private static let barHeight = 0.6
  /// The width of the last line of a text as a share of the text's where lines are not known.
  private static let lastWidth = 0.6

  /// The bar in the middle of a line.
  private static func bar(x: Double, y: Double, width: Double, height: Double) -> SkeletonRect {
    SkeletonRect(x: x, y: y + height * (1 - barHeight) / 2, width: width, height: height * barHeight)
  }

  /// Returns the bars of a text whose lines are known.
  static func bars(of frame: NodeFrame, _ text: DrawnText?) -> [SkeletonRect] {
    (text?.lines ?? []).filter { $0.width > 0 }.map { line in
      bar(
        x: Double(frame.x) + Double(line.x), y: Double(frame.y) + Double(line.y), width: Double(line.width),
        height: Double(line.height))
    }
  }

  /// Returns the bars of a text whose lines are not known: all are as wide as the text, but for the last of several.
  static func bars(of frame: NodeFrame) -> [SkeletonRect] {
    let height = Double(frame.height) / Double(frame.lines)
    return (0..<max(frame.lines, 0)).map { line in
      let isLast = line > 0 && line == frame.lines - 1
      return bar(
        x: Double(frame.x), y: Double(frame.y) + Double(line) * height,
        width: isLast ? Double(frame.width) * lastWidth : Double(frame.width), height: height)
    }
  }
}

extension MappedTables {
  /// Returns the rectangles of a row's cell that a client can draw before the contents are there: a bar for each line of its
  /// texts, and the frame of each other node that has no others inside. With lines, bars are as wide as these.
  ///
  /// - Throws: `TableError` if the tables are damaged at this place, or have changed since they were opened.
  public func skeleton(of row: Int) throws(TableError) -> [SkeletonRect] {
    let frames = try frames(of: row)
    let parents = Set(frames.map(\.parent))
    let texts = try textCursors()?.texts(of: row, frames)
    var rects: [SkeletonRect] = []
    for (index, frame) in frames.enumerated() {
      if frame.type == "text" {
        rects += texts.map { SkeletonRect.bars(of: frame, $0[index]) } ?? SkeletonRect.bars(of: frame)
      } else if !parents.contains(index) {
        rects.append(
          SkeletonRect(
            x: Double(frame.x), y: Double(frame.y), width: Double(frame.width), height: Double(frame.height)))
      }
    }
    return rects
  }
}
