import Buffers
import LayoutTables
import PoolLayouts
import Synchronization
import ZeroMQ

/// Columns that have nothing to do with the rows, made once for each size of job.
final class ReadyColumns: Sendable {
  /// Columns of so many rows.
  typealias Make = @Sendable (Int) -> JobColumns

  private static let framesPerRow = 7
  private static let url = Array("https://example.com/photos/0123456789.jpg".utf8)

  private let made = Mutex<[Int: OwnedBytes]>([:])
  private let make: Make

  init(_ make: @escaping Make) { self.make = make }

  @Sendable func columns(rows: Int) -> OwnedBytes {
    made.withLock { made in
      let columns = made[rows] ?? OwnedBytes(make(rows))
      made[rows] = columns
      return columns
    }
  }

  /// Rows of no size.
  @Sendable static func empty(_ rows: Int) -> JobColumns {
    var columns = JobColumns()
    for row in 0..<rows { columns.appendBadRow(id: "\(row)", error: "") }
    return columns
  }

  /// As photo posts have them.
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
