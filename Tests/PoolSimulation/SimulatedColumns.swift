import Buffers
import PoolCoordinatorCore
import PoolProtocol

/// The columns of simulated layouts: one record per row, which names the row that was laid out and the variant.
struct SimulatedRecord: Equatable {
  static let size = 24
  private static let magic: UInt32 = 0x6761_6c6c
  private static let lostBatch = UInt32.max

  let batch: UInt32
  let row: UInt64
  let width: UInt64

  /// The record of a row that was given up.
  static func lost(row: UInt64) -> SimulatedRecord { SimulatedRecord(batch: lostBatch, row: row, width: 0) }

  /// Writes a width that no layout has, which the bytes of a record alone do not show to be wrong.
  static func writeAbsurdWidth(to start: UnsafeMutableRawPointer) {
    start.storeBytes(of: Double.nan.bitPattern, toByteOffset: 16, as: UInt64.self)
  }

  var isLost: Bool { batch == Self.lostBatch }

  func write(to start: UnsafeMutableRawPointer) {
    start.storeBytes(of: Self.magic, as: UInt32.self)
    start.storeBytes(of: batch, toByteOffset: 4, as: UInt32.self)
    start.storeBytes(of: row, toByteOffset: 8, as: UInt64.self)
    start.storeBytes(of: width, toByteOffset: 16, as: UInt64.self)
  }

  /// Returns the records of one variant; nil when the bytes are something else.
  static func read(_ bytes: UnsafeRawBufferPointer) -> [SimulatedRecord]? {
    guard bytes.count % size == 0 else { return nil }
    var records: [SimulatedRecord] = []
    for offset in stride(from: 0, to: bytes.count, by: size) {
      guard bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self) == magic else { return nil }
      records.append(
        SimulatedRecord(
          batch: bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self),
          row: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self),
          width: bytes.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self)))
    }
    return records
  }
}

extension LayoutFormat {
  static let simulated = LayoutFormat(
    flaw: { bytes, rows in
      bytes.withBytes {
        guard let records = SimulatedRecord.read($0), records.count == rows else { return "other records" }
        return records.allSatisfy { Double(bitPattern: $0.width).isFinite } ? nil : "a width that is no number"
      }
    },
    failedRows: { rows, _ in
      OwnedBytes(count: SimulatedRecord.size * rows.count) { start in
        for (index, row) in rows.enumerated() {
          SimulatedRecord.lost(row: row).write(to: start + index * SimulatedRecord.size)
        }
      }
    })
}
