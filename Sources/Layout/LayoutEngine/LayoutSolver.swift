import Buffers

/// A solver that lays out an `ElementTree` by the rules of Texture (layout-semantics 3 to 5).
///
/// Texture measures a child up to three times, so that nested stacks take up to 3^depth measurements. The solver keeps each
/// measurement with its size range and parent size instead. On chains of any depth an element is measured with three
/// different ones on average, and five at most, so that the time is proportional to the number of elements.
/// Measurements and placements are plain values in flat buffers that later layouts reuse: a further layout allocates
/// nothing.
///
///     import Buffers  // FlatBuffer; the module is built with the product LayoutEngine
///     import LayoutEngine
///
///     var solver = LayoutSolver(scale: 2)
///     var frames = FlatBuffer<Frame>()
///     let size = try solver.layout(tree, in: SizeRange(width: 390), leaves: .empty, frames: &frames)
///
/// A solver must be used by one thread. `CellLayout` is the solver for cells written in Swift.
public struct LayoutSolver: ~Copyable {
  /// A measurement of an element in one range.
  struct Measurement: BitwiseCopyable {
    var range: SizeRange
    var parent: Size
    var size: Size
    /// The baselines that the element has for its stack after this measurement.
    var baselines: Baselines
    /// The index of the previous measurement of the same element, or -1.
    var next: Int32
    /// The index of the placement of its first child, or -1. The placements are in the order of the children.
    var placements: Int32
    /// `LeafMeasurement.detail` of a text.
    var detail: UInt32
  }

  /// A child of a horizontal stack that had grown or shrunk when it was stretched.
  struct StretchedChild: BitwiseCopyable {
    let child: Int32
    /// The least and the largest width of the stack, in points.
    let min, max: Double
    /// The width in which the child was measured before, in points.
    let width: Double
  }

  /// The position and size of a child in one measurement of its parent.
  struct Placement: BitwiseCopyable {
    var position: Point
    var size: Size
    /// The index of the child's measurement; -1 if none was kept, as for a leaf, and `unused` if the child has no part in
    /// the layout.
    var measurement: Int32
  }

  /// The result of measuring an element: its size, and the index of the measurement that was kept, or -1.
  struct MeasuredElement {
    var size: Size
    var measurement: Int32

    @inline(__always)
    init(_ size: Size, _ measurement: Int32 = LayoutSolver.none) {
      self.size = size
      self.measurement = measurement
    }
  }

  /// The baselines of an element at the current point of the layout. Texture keeps them in the style, which is mutable.
  struct Baselines: BitwiseCopyable {
    var ascender: Double
    var descender: Double
  }

  /// The value of an index that refers to no element, measurement or placement.
  static let none: Int32 = -1
  /// The measurement of a child that has no part in its parent's layout.
  static let unused: Int32 = -2

  private(set) var grid: PixelGrid
  /// See `Platform.lineTolerance`.
  let lineTolerance: Double
  /// The generation whose rules the tree is laid out by.
  private(set) var generation = LayoutGeneration.second
  var elements: UnsafeMutablePointer<Element>
  var styles: UnsafeMutablePointer<LayoutElementStyle>
  var sizes: UnsafeMutablePointer<Size>
  var leaves = LeafMeasurer.empty

  /// The index of the last measurement of each element, or -1.
  var latest = FlatBuffer<Int32>(capacity: 64)
  /// The stretched children, for `widthBounds`, which must not depend on measurements of other widths.
  var stretched = FlatBuffer<StretchedChild>(capacity: 16)
  /// The current baselines of each element, if any stack aligns by them.
  var baselines = FlatBuffer<Baselines>(capacity: 64)
  var measurements = FlatBuffer<Measurement>(capacity: 256)
  var placements = FlatBuffer<Placement>(capacity: 256)
  /// The items of the stacks that are being laid out.
  var items = FlatBuffer<StackItem>(capacity: 64)
  /// The lines of the wrapping stacks that are being laid out.
  var lines = FlatBuffer<StackLine>(capacity: 64)
  /// The index of the first element without a valid size, or -1.
  var failure: Int32 = none
  /// Whether any stack aligns its children by baselines.
  private(set) var tracksBaselines = false
  /// Whether each element is a spec that takes baselines of earlier measurements; empty if no element of the tree is. See
  /// `findSpecsWithEarlierBaselines`.
  var usesEarlierBaselines = FlatBuffer<Bool>(capacity: 1)
  /// Whether any size depends on that of a parent. Otherwise measurements with different parents are the same.
  private(set) var usesParents = false
  /// The ranges for which nodes lacked a layout spec in the last layout. If there are any, the sizes of that layout are
  /// preliminary: the owner adds the specs to the tree and lays it out again.
  public internal(set) var requests = FlatBuffer<SpecRequest>(capacity: 4)
  /// Whether the measurements of leaves, and of specs whose child is absent, are kept like those of other elements, which takes
  /// time and only serves `forEachResult`.
  public var remembersLeaves = false
  /// The result of the last layout.
  private(set) var root = MeasuredElement(.zero)

  /// Creates a solver.
  ///
  /// - Parameters:
  ///   - scale: the number of device pixels a point, which is greater than 0.
  ///   - lineTolerance: the length in points by which a line of a wrapping stack may exceed the maximum; 0 in Texture.
  public init(scale: Double, lineTolerance: Double = 0) {
    self.grid = PixelGrid(scale: scale)
    self.lineTolerance = lineTolerance
    // No element is read before a tree is laid out, whose elements these then are.
    let unread = UnsafeMutableRawPointer(measurements.base)
    self.elements = unread.assumingMemoryBound(to: Element.self)
    self.styles = unread.assumingMemoryBound(to: LayoutElementStyle.self)
    self.sizes = unread.assumingMemoryBound(to: Size.self)
  }

  /// Lays out a tree and appends the frames of its nodes, as `layout(_:in:leaves:again:)` and `appendFrames(to:)` do.
  public mutating func layout(
    _ tree: borrowing ElementTree, in range: SizeRange, leaves: LeafMeasurer, again: Bool = false,
    frames: inout FlatBuffer<Frame>
  ) throws(LayoutFailure) -> Size {
    let size = try layout(tree, in: range, leaves: leaves, again: again)
    appendFrames(to: &frames)
    return size
  }

  /// Lays out a tree.
  ///
  /// - Parameters:
  ///   - tree: the elements of the cell, which must have exactly one root.
  ///   - range: the sizes that the cell can have, in points.
  ///   - leaves: the functions that measure texts and lay out custom specs.
  ///   - again: whether the tree and the results of `leaves` are those of the last layout. Its measurements are then used
  ///     again, so that only elements that depend on the range take time.
  /// - Returns: the size of the cell, in points.
  /// - Throws: `LayoutFailure` with the first element whose size is not valid, unless `requests` has layout specs: without these,
  ///   sizes are preliminary.
  public mutating func layout(
    _ tree: borrowing ElementTree, in range: SizeRange, leaves: LeafMeasurer, again: Bool = false
  ) throws(LayoutFailure) -> Size {
    self.leaves = leaves
    failure = Self.none
    if !again || requests.count > 0 || tree.count != latest.count
      || measurements.count > Self.maxMeasurements * tree.count
    {
      prepare(tree)
    }
    requests.removeAll()
    if tracksBaselines {
      // The measurements for another range must not be those before.
      if usesEarlierBaselines.count > 0 { prepare(tree) }
      resetBaselines()
    }
    root = measure(0, range, range.max)
    if failure >= 0 {
      // Measurements that were kept have 0 by 0 for sizes that are not valid.
      latest.removeAll()
      if requests.count == 0 { throw LayoutFailure(element: failure) }
    }
    return root.size
  }

  /// The average number of measurements for each element up to which they are kept for a further layout of the same tree.
  private static let maxMeasurements = 16

  private mutating func prepare(_ tree: borrowing ElementTree) {
    let count = tree.count
    precondition(count > 0, "a cell has one root element")
    elements = tree.elements.base
    styles = tree.styles.base
    sizes = tree.sizes.base
    if tree.generation != generation {
      generation = tree.generation
      grid = PixelGrid(scale: grid.scale, generation: generation)
    }
    tracksBaselines = tree.alignsBaselines
    usesParents = tree.traits.contains(.fractional) || tree.hasScrollNodes
    latest.removeAll()
    measurements.removeAll()
    stretched.removeAll()
    placements.removeAll()
    items.removeAll()
    lines.removeAll()
    latest.extend(by: count).update(repeating: Self.none, count: count)
    // A child is an item of at most one open stack, so that these buffers do not grow and pointers into them stay valid
    // during the layout.
    items.reserve(count)
    lines.reserve(count)
    usesEarlierBaselines.removeAll()
    if tracksBaselines && generation == .second { findSpecsWithEarlierBaselines() }
  }

  /// Sets the baselines of all elements to those of their styles.
  private mutating func resetBaselines() {
    baselines.removeAll()
    let published = baselines.extend(by: latest.count)
    for index in 0..<latest.count { published[index] = styleBaselines(elements + index) }
  }

  /// Returns the baselines of an element's style.
  func styleBaselines(_ element: UnsafeMutablePointer<Element>) -> Baselines {
    let style = styles + Int(element.pointee.style)
    return Baselines(ascender: style.pointee.ascender, descender: style.pointee.descender)
  }
}

/// The error of a layout in which an element has no valid size: its width or height is negative, infinite, NaN, or
/// 10,000,000 points or more (layout-semantics 1).
public struct LayoutFailure: Error, Equatable {
  /// The index of the element in its tree.
  public let element: Int32

  /// The reason, for errors that name the element.
  public static let reason =
    "its size is not finite or more than 10,000,000 points; give it a size, or its parent a bounded one"
}
