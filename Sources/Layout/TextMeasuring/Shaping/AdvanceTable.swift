import Buffers

/// A table of advances by index. An advance is not known until it is set.
struct AdvanceTable: BitwiseCopyable {
  /// What is added to an advance in the table: 0 stands for an advance that is not known.
  static let bias = 1 << 31

  /// A page of advances takes memory when it is first written.
  private let advances: UnsafeMutablePointer<UInt32>

  init(count: Int) { self.init(advances: ZeroedMemory.allocate(UInt32.self, count: count)) }

  private init(advances: UnsafeMutablePointer<UInt32>) { self.advances = advances }

  func destroy() { ZeroedMemory.deallocate(advances) }

  /// Returns the part of the table from an index on.
  @inline(__always)
  func from(_ index: Int) -> AdvanceTable { AdvanceTable(advances: advances + index) }

  /// The advance at an index with the bias, or 0 if it is not known.
  @inline(__always)
  func biased(_ index: Int) -> Int { Int(advances[index]) }

  /// The advance at an index; nil if it is not known.
  @inline(__always)
  subscript(index: Int) -> Int32? {
    get {
      let biased = biased(index)
      return biased == 0 ? nil : Int32(truncatingIfNeeded: biased &- Self.bias)
    }
    nonmutating set { advances[index] = newValue.map { UInt32(truncatingIfNeeded: Int($0) + Self.bias) } ?? 0 }
  }
}
