import Buffers

/// Lays out cells written in Swift, one after the other.
///
///     let layout = CellLayout(scale: 2) { text, room in measure(text, room) }
///     let size = try layout.layout(PhotoCell(photo), thatFits: SizeRange(width: 390))
///     for frame in layout.frames { … }
public final class CellLayout {
  /// Measures a text that has at most so much room, in points.
  public typealias TextMeasure = (_ text: TextNode, _ room: Size) -> LeafMeasurement

  /// Where a node of the last cell ended.
  public struct NodeFrame {
    public let node: DisplayNode
    /// In the cell's coordinates, in points.
    public let rect: Rect
  }

  private var solver: LayoutSolver
  private let specs = SpecTree()
  private let measureText: TextMeasure
  private var flatFrames = FlatBuffer<Frame>()

  /// The last cell's nodes in depth-first order.
  public private(set) var frames: [NodeFrame] = []

  /// - Parameter scale: device pixels a point.
  public init(scale: Double, measureText: @escaping TextMeasure = { _, _ in LeafMeasurement(size: .zero) }) {
    solver = LayoutSolver(scale: scale)
    self.measureText = measureText
  }

  /// - Returns: the cell's size in points.
  /// - Throws: `SpecError` for a node used twice, a size that is not finite, or a layout too large.
  public func layout(_ cell: some CellNode, thatFits range: SizeRange) throws(SpecError) -> Size {
    try layout(cell.layoutSpecThatFits(range), thatFits: range)
  }

  public func layout(_ spec: any LayoutElement, thatFits range: SizeRange) throws(SpecError) -> Size {
    try specs.build(spec)
    while true {
      let size = try solve(range)
      if solver.requests.count == 0 {
        frames = (1..<flatFrames.count).compactMap { index in
          (specs.sources[Int(flatFrames[index].element)] as? DisplayNode).map {
            NodeFrame(node: $0, rect: flatFrames[index].rect)
          }
        }
        return size
      }
      try specs.build(spec, answering: solver.requests.values)
    }
  }

  private func solve(_ range: SizeRange) throws(SpecError) -> Size {
    flatFrames.removeAll()
    let leaves = LeafMeasurer(
      context: Unmanaged.passUnretained(self).toOpaque(),
      measure: { context, tag, width, height, result in
        guard let context else { return }
        let layout = Unmanaged<CellLayout>.fromOpaque(context).takeUnretainedValue()
        result.storeBytes(of: layout.measure(tag, Size(width, height)), as: LeafMeasurement.self)
      },
      layOut: { context, tag, range, pass, result in
        guard let context else { return }
        let layout = Unmanaged<CellLayout>.fromOpaque(context).takeUnretainedValue()
        let size = layout.specs.layOut(
          tag, range.load(as: SizeRange.self), &pass.assumingMemoryBound(to: CustomLayoutPass.self).pointee)
        result.storeBytes(of: size, as: Size.self)
      })
    do throws(LayoutFailure) {
      return try solver.layout(specs.tree, in: range, leaves: leaves, frames: &flatFrames)
    } catch {
      throw SpecError(
        message: "its size is infinite or not a number; give it a size, or its parent a bounded one",
        path: specs.path(of: Int(error.element)))
    }
  }

  private func measure(_ tag: Int32, _ room: Size) -> LeafMeasurement {
    guard let text = specs.sources[Int(tag)] as? TextNode else { return specs.measure(tag, room) }
    return measureText(text, room)
  }
}

extension SpecTree {
  /// What a node that is no text says of its size.
  public func measure(_ tag: Int32, _ room: Size) -> LeafMeasurement {
    guard let node = sources[Int(tag)] as? DisplayNode else { return LeafMeasurement(size: .zero) }
    return LeafMeasurement(
      size: node.calculateSizeThatFits(room) ?? (isValidForSize(room) ? room : .zero),
      ascender: node.style.ascender, descender: node.style.descender)
  }

  /// Has a custom spec lay itself out.
  public func layOut(_ tag: Int32, _ range: SizeRange, _ pass: inout CustomLayoutPass) -> Size {
    guard let spec = sources[Int(tag)] as? any CustomLayoutSpec else { return .zero }
    return spec.calculateLayoutThatFits(range, pass: &pass)
  }
}
