import Buffers

/// Lays out cells written in Swift, one after the other.
///
///     let layout = CellLayout(scale: 2, fonts: fonts)  // TextFonts of TextMeasuring
///     let size = try layout.layout(PhotoCell(photo), thatFits: SizeRange(width: 390))
///     for frame in layout.frames { … }
public final class CellLayout {
  /// Measures a text that has at most so much room, in points; nil if it cannot, which is an error of the cell.
  public typealias TextMeasure = (_ text: TextNode, _ room: Size) -> LeafMeasurement?

  /// Where a node of the last cell ended.
  public struct NodeFrame {
    public let node: DisplayNode
    /// In the cell's coordinates, in points.
    public let rect: Rect
  }

  private var solver: LayoutSolver
  private let specs = SpecTree()
  private let measureText: TextMeasure?
  /// The first text for which there was nothing to measure it with.
  private var unmeasuredText: Int32?
  private var flatFrames = FlatBuffer<Frame>()

  /// The last cell's nodes in depth-first order.
  public private(set) var frames: [NodeFrame] = []

  /// - Parameters:
  ///   - scale: device pixels a point.
  ///   - measureText: without it a cell with a text is an error; `CellLayout(scale:fonts:)` of `TextMeasuring` measures
  ///     texts with font files.
  public init(scale: Double, measureText: TextMeasure? = nil) {
    solver = LayoutSolver(scale: scale)
    self.measureText = measureText
  }

  /// - Returns: the cell's size in points.
  /// - Throws: `SpecError` for a node used twice, a size that is not finite, a layout too large, a node of something fetched
  ///   that ends without a size, or a text without anything to measure it with.
  public func layout(_ cell: some CellNode, thatFits range: SizeRange) throws(SpecError) -> Size {
    try layout(cell.layoutSpecThatFits(range), thatFits: range)
  }

  public func layout(_ spec: any LayoutElement, thatFits range: SizeRange) throws(SpecError) -> Size {
    try specs.build(spec)
    while true {
      let size = try solve(range)
      if solver.requests.count == 0 {
        try checkFrames()
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

  private func checkFrames() throws(SpecError) {
    if let text = unmeasuredText {
      throw SpecError(
        message:
          "the text cannot be measured: CellLayout was made without its font (\(fontNames(of: text))); give it fonts or "
          + "measureText",
        path: specs.path(of: Int(text)))
    }
    for index in 1..<max(flatFrames.count, 1) {
      let size = flatFrames[index].rect.size
      guard size.width == 0 || size.height == 0,
        let node = specs.sources[Int(flatFrames[index].element)] as? NetworkNode
      else { continue }
      throw SpecError(
        message:
          "\(node.type) \"\(node.name)\" ends without a size (\(size.width) x \(size.height)): it has none of its own "
          + "before it is fetched; give it preferredSize, or a ratio with a bounded width",
        path: specs.path(of: Int(flatFrames[index].element)))
    }
  }

  private func fontNames(of text: Int32) -> String {
    ((specs.sources[Int(text)] as? TextNode)?.runs ?? []).map { "\"\($0.font)\"" }.joined(separator: ", ")
  }

  private func solve(_ range: SizeRange) throws(SpecError) -> Size {
    flatFrames.removeAll()
    unmeasuredText = nil
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
    if let measured = measureText?(text, room) { return measured }
    unmeasuredText = unmeasuredText ?? tag
    return LeafMeasurement(size: .zero)
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
