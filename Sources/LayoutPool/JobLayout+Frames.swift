import BatchLayout
import LayoutTables
import PoolMessages
import ZeroMQ

extension JobLayout {
  /// What the last job gave, for each variant.
  public func encodedColumns() -> [Frame] {
    variants.indices.map { variant in withColumns(of: variant) { Frame($0) } }
  }

  /// What the last job gave: as frames to be sent, or left in memory that the coordinator sees.
  func leaveColumns(in lane: PeerLane) -> (frames: [Frame], left: [PoolSharedBytes]) {
    let left = lane.leave(
      variants.count,
      size: { withColumns(of: $0) { $0.encodedSize } },
      write: { variant, start in withColumns(of: variant) { $0.write(to: start) } })
    return left.map { ([], $0) } ?? (encodedColumns(), [])
  }
}

extension Frame {
  /// A job's columns, as they travel.
  public convenience init(_ columns: borrowing JobColumns) {
    self.init(size: columns.encodedSize) { columns.write(to: $0) }
  }
}
