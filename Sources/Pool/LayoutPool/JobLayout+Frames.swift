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
  func leaveColumns(in lane: PeerLane) -> (frames: [Frame], left: PoolSharedBytes?) {
    let sizes = variants.indices.map { withColumns(of: $0) { $0.encodedSize } }
    let left = lane.leave(columns: sizes) { variant, start in withColumns(of: variant) { $0.write(to: start) } }
    return (left == nil ? encodedColumns() : [], left)
  }
}

extension Frame {
  /// A job's columns, as they travel.
  public convenience init(_ columns: borrowing JobColumns) {
    self.init(size: columns.encodedSize) { columns.write(to: $0) }
  }
}
