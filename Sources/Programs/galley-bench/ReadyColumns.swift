import Buffers
import LayoutTables
import Synchronization

/// The prepared columns that echo workers return. They do not depend on rows, and are made once for each number of
/// rows.
final class ReadyColumns: Sendable {
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

  /// Returns columns of bad rows without frames.
  @Sendable static func empty(_ rows: Int) -> JobColumns {
    let columns = JobColumns()
    for row in 0..<rows { columns.appendBadRow(id: "\(row)", error: "") }
    return columns
  }

  /// Returns columns with as many frames and resources as photo posts have.
  @Sendable static func photoPosts(_ rows: Int) -> JobColumns {
    let job = JobColumns()
    for row in 0..<rows {
      job.appendBadRow(id: "post-\(row)", error: "")
      job.columns.frameCount[row] = UInt32(framesPerRow)
      job.columns.resourceRow.append(UInt32(row))
      job.columns.resourceFrame.append(UInt32(job.columns.node.count))
      job.columns.resourceURLLength.append(UInt32(url.count))
      url.withUnsafeBufferPointer { job.columns.resourceURLBytes.append(contentsOf: $0) }
      for frame in 0..<framesPerRow {
        let node = job.number(ofName: ByteString("photo"))
        job.columns.node.append(node)
        job.columns.type.append(0)
        job.columns.parent.append(-1)
        job.columns.frameRect.append(x: 0, y: Float(frame), width: 100, height: 100)
        job.columns.lines.append(0)
        job.columns.truncated.append(0)
      }
    }
    return job
  }
}
