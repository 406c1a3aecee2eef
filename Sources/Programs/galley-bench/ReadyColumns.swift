import Buffers
import LayoutPool
import LayoutTables
import Synchronization
import ZeroMQ

/// The prepared columns that echo workers return. They do not depend on rows, and are made once for each number of
/// rows.
final class ReadyColumns: Sendable {
  /// A function that returns the columns of a number of rows.
  typealias Make = @Sendable (Int) -> JobColumns

  private static let framesPerRow = 7
  private static let url = Array("https://example.com/photos/0123456789.jpg".utf8)

  private let made = Mutex<[Int: Frame]>([:])
  private let make: Make

  init(_ make: @escaping Make) { self.make = make }

  /// Returns the columns of a number of rows.
  @Sendable func columns(rows: Int) -> Frame {
    made.withLock { made in
      let frame = made[rows] ?? Frame(make(rows))
      made[rows] = frame
      return frame.share()
    }
  }

  /// Returns columns of bad rows without frames.
  @Sendable static func empty(_ rows: Int) -> JobColumns {
    var columns = JobColumns()
    for row in 0..<rows { columns.appendBadRow(id: "\(row)", error: "") }
    return columns
  }

  /// Returns columns with as many frames and resources as photo posts have.
  @Sendable static func photoPosts(_ rows: Int) -> JobColumns {
    var columns = JobColumns()
    for row in 0..<rows {
      columns.appendBadRow(id: "post-\(row)", error: "")
      columns.frameCount.base[row] = UInt32(framesPerRow)
      columns.resourceRow.append(UInt32(row))
      columns.resourceFrame.append(UInt32(columns.node.count))
      columns.resourceURLLength.append(UInt32(url.count))
      url.withUnsafeBufferPointer { columns.resourceURLBytes.append(contentsOf: $0) }
      for frame in 0..<framesPerRow {
        columns.node.append(columns.names.number(of: ByteString("photo")))
        columns.type.append(0)
        columns.parent.append(-1)
        columns.x.append(0)
        columns.y.append(Float(frame))
        columns.frameWidth.append(100)
        columns.frameHeight.append(100)
        columns.lines.append(0)
        columns.truncated.append(0)
      }
    }
    return columns
  }
}
