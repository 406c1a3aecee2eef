import Buffers

/// A layout of cells written in Swift, one after the other: the type that a user of the library starts with.
///
///     let fonts = try TextFonts(["body": .init(file: "Inter-Regular.otf", size: 15, lineHeight: 20)])  // TextMeasuring
///     let layout = CellLayout(scale: 2, fonts: fonts)
///     let size = try layout.layout(PhotoCell(photo), thatFits: SizeRange(width: 390))
///     for frame in layout.frames { print(frame.node.name, frame.rect) }
///
/// The rules are those of Texture (`layout-semantics`). A layout must be used by one thread, and keeps its memory for the
/// next cell.
public final class CellLayout {
  /// A function that measures a text in a box of at most `room` points, either length of which can be infinite. It returns
  /// nil if it cannot measure the text, which is an error of the cell.
  public typealias TextMeasure = (_ text: TextNode, _ room: Size) -> LeafMeasurement?

  /// The position and size of a node of the last cell.
  public struct NodeFrame {
    /// The node.
    public let node: DisplayNode
    /// The position in the coordinates of the cell, and the size, in points.
    public let rect: Rect
  }

  private var solver: LayoutSolver
  private let layoutDirection: LayoutDirection
  private let specs = SpecTree()
  private let measureText: TextMeasure?
  /// The index of the first text that could not be measured.
  private var unmeasuredText: Int32?
  private var flatFrames = FlatBuffer<Frame>()

  /// The largest size and distance of a frame from the origin of its cell, in points. It is that of the tables of a worker
  /// (`JobTable.largestExtent`), so that a cell which is a bad row there is an error here.
  private static let largestExtent = 1e9

  /// The frames of the last cell's nodes in depth-first order. Specs have no frames.
  public private(set) var frames: [NodeFrame] = []

  /// Creates a layout.
  ///
  /// - Parameters:
  ///   - scale: the number of device pixels a point, to which sizes and positions are rounded. It is greater than 0 and at most
  ///     `Variant.scaleLimit`; otherwise each layout is an error.
  ///   - layoutDirection: the direction of the list, which nodes have that state none.
  ///   - measureText: the function that measures texts. Without it, a cell with a text is an error.
  ///     `CellLayout(scale:textScale:layoutDirection:fonts:)` of `TextMeasuring` measures texts with font files.
  public init(scale: Double, layoutDirection: LayoutDirection = .ltr, measureText: TextMeasure? = nil) {
    solver = LayoutSolver(scale: scale)
    self.layoutDirection = layoutDirection
    self.measureText = measureText
  }

  /// Lays out a cell, and sets `frames`. Texture: `-[ASCellNode layoutThatFits:]`.
  ///
  /// - Parameters:
  ///   - cell: the cell. Its `layoutSpecThatFits` is called once.
  ///   - range: the sizes that the cell can have, in points, such as `SizeRange(width: 390)`.
  /// - Returns: the size of the cell, in points.
  /// - Throws: `SpecError` for a node that is used twice, a spec that cannot arrange its children, a size or position that
  ///   is not valid, a layout with too many elements or levels, a node of a fetched resource without a size, or a text that cannot be
  ///   measured; and if the scale is not valid.
  public func layout(_ cell: some CellNode, thatFits range: SizeRange) throws(SpecError) -> Size {
    try layout(cell.layoutSpecThatFits(range), thatFits: range, direction: cell.layoutDirection)
  }

  /// Lays out a spec or a node as a cell, and sets `frames`.
  ///
  /// - Parameters:
  ///   - spec: the layout of the cell.
  ///   - range: the sizes that the cell can have, in points.
  /// - Returns: the size of the cell, in points.
  /// - Throws: `SpecError`, as for a `CellNode`.
  public func layout(_ spec: any LayoutElement, thatFits range: SizeRange) throws(SpecError) -> Size {
    try layout(spec, thatFits: range, direction: nil)
  }

  private func layout(
    _ spec: any LayoutElement, thatFits range: SizeRange, direction: LayoutDirection?
  ) throws(SpecError) -> Size {
    let scale = solver.grid.scale
    guard scale > 0 && scale <= Variant.scaleLimit else {
      throw SpecError(
        "the scale of CellLayout is \(scale); it must be greater than 0 and at most \(Int(Variant.scaleLimit))")
    }
    try specs.build(spec)
    while true {
      let size = try solve(range)
      if solver.requests.count == 0 {
        try checkFrames()
        let directions = LayoutDirections(list: layoutDirection, cell: direction, areStated: specs.statesDirections)
        if directions.mayMirror { flatFrames.mirror(directions, specs.tree, solver.grid) }
        try checkExtents()
        frames = (1..<flatFrames.count).compactMap { index in
          (specs.sources[Int(flatFrames[index].element)] as? DisplayNode).map {
            NodeFrame(node: $0, rect: flatFrames[index].rect)
          }
        }
        return size
      }
      try specs.build(spec, adding: solver.requests.values)
    }
  }

  private func checkFrames() throws(SpecError) {
    if let text = unmeasuredText {
      throw SpecError(
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
        "\(node.type) \"\(node.name)\" ends without a size (\(size.width) x \(size.height)): it has none of its own "
          + "before it is fetched; give it preferredSize, or a ratio with a bounded width",
        path: specs.path(of: Int(flatFrames[index].element)))
    }
  }

  private func checkExtents() throws(SpecError) {
    for frame in flatFrames.values where !frame.rect.isWithin(Self.largestExtent) {
      let (origin, size, isCell) = (frame.rect.origin, frame.rect.size, frame.element == Frame.cell)
      let node = isCell ? nil : specs.sources[Int(frame.element)] as? DisplayNode
      let what = node.map { "\($0.type) \"\($0.name)\"" } ?? "the cell"
      throw SpecError(
        "\(what) is \(size.width) x \(size.height) points at (\(origin.x), \(origin.y)); the limit is "
          + "\(Int(Self.largestExtent)) points",
        path: isCell ? [] : specs.path(of: Int(frame.element)))
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
      throw SpecError(LayoutFailure.reason, path: specs.path(of: Int(error.element)))
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
  /// Measures a node with a size of its own that is not a text, in a box of at most `room` points.
  ///
  /// - Parameters:
  ///   - tag: the index of the element.
  ///   - room: the largest size, in points.
  public func measure(_ tag: Int32, _ room: Size) -> LeafMeasurement {
    guard let node = sources[Int(tag)] as? DisplayNode else { return LeafMeasurement(size: .zero) }
    return LeafMeasurement(
      size: node.calculateSizeThatFits(room) ?? (isValidForSize(room) ? room : .zero),
      ascender: node.style.ascender, descender: node.style.descender)
  }

  /// Lays out a custom spec and returns its size in points.
  ///
  /// - Parameters:
  ///   - tag: the index of the element.
  ///   - range: the smallest and the largest size, in points.
  ///   - pass: the access to the children of the spec.
  public func layOut(_ tag: Int32, _ range: SizeRange, _ pass: inout CustomLayoutPass) -> Size {
    guard let spec = sources[Int(tag)] as? any CustomLayoutSpec else { return .zero }
    return spec.calculateLayoutThatFits(range, pass: &pass)
  }
}
