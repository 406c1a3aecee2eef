import Buffers

/// The position and size of a node in its cell.
@frozen
public struct Frame: BitwiseCopyable, Sendable {
  /// The value of `element` in the frame of the cell itself.
  public static let cell: Int32 = -1

  /// The index of the node in its tree, or `cell`.
  public var element: Int32
  /// The index of the frame of the node that contains it, counted from the cell's frame, which is 0; -1 for the cell.
  public var parent: Int32
  /// The position in the coordinates of the cell, and the size, in points.
  public var rect: Rect
  /// `LeafMeasurement.detail` of the final measurement of a text; 0 for other nodes.
  public var detail: UInt32 = 0
  /// The index of the final measurement in the solver, which is valid until its next layout; -1 for a node that was not
  /// measured.
  var measurement: Int32 = -1
}

/// The conversion of a tree of measurements into a list of frames (layout-semantics 6). Texture:
/// `-[ASLayout filteredNodeLayoutTree]`.
///
/// Specs are left out, and nodes stay in depth-first order. The position of a node within the node that contains it is the
/// sum of the positions between them, which is rounded up to a pixel once.
struct Flattening {
  let elements: UnsafeMutablePointer<Element>
  let measurements: UnsafeMutablePointer<LayoutSolver.Measurement>
  let placements: UnsafeMutablePointer<LayoutSolver.Placement>
  let grid: PixelGrid
  /// The frame of the cell.
  let first: UnsafeMutablePointer<Frame>
  /// The memory of the next frame. The capacity suffices for all frames.
  var next: UnsafeMutablePointer<Frame>

  /// The node whose layout is being flattened: the index of its frame, and its position in the cell.
  struct Container {
    let frame: Int32
    let position: Axes
  }

  /// Adds the frames of an element and its descendants.
  ///
  /// - Parameter origin: the position of the element's parent within the container, before rounding.
  @inline(__always)
  mutating func add(
    _ index: Int32, _ placement: UnsafeMutablePointer<LayoutSolver.Placement>, _ origin: Axes, _ container: Container
  ) {
    let position = origin + placement.pointee.position.axes
    if elements[Int(index)].kind.isNode {
      addNode(index, placement, position, container)
    } else if placement.pointee.measurement >= 0 {
      addChildren(of: index, placement.pointee.measurement, position, container)
    }
  }

  @inline(__always)
  private mutating func addNode(
    _ index: Int32, _ placement: UnsafeMutablePointer<LayoutSolver.Placement>, _ position: Axes,
    _ container: Container
  ) {
    let corner = container.position + grid.ceil(Point(position)).axes
    let frame = next
    next += 1
    frame.initialize(
      to: Frame(
        element: index, parent: container.frame, rect: Rect(origin: Point(corner), size: placement.pointee.size)))
    guard placement.pointee.measurement >= 0 else { return }
    frame.pointee.detail = measurements[Int(placement.pointee.measurement)].detail
    frame.pointee.measurement = placement.pointee.measurement
    addChildren(
      of: index, placement.pointee.measurement, .zero,
      Container(frame: Int32(truncatingIfNeeded: number(of: frame)), position: corner))
  }

  /// Returns the number of frames before a frame. An unsigned division by a power of two takes one instruction, a difference of
  /// pointers takes several.
  @inline(__always)
  func number(of frame: UnsafeMutablePointer<Frame>) -> Int {
    Int(bitPattern: (UInt(bitPattern: frame) &- UInt(bitPattern: first)) / UInt(MemoryLayout<Frame>.stride))
  }

  private mutating func addChildren(of parent: Int32, _ measurement: Int32, _ origin: Axes, _ container: Container) {
    var start = measurements[Int(measurement)].placements
    var parent = parent
    var origin = origin
    // One iteration for each spec that is the last child of the one before it.
    while start >= 0 {
      var placement = placements + Int(start)
      start = -1
      let end = elements[Int(parent)].end
      var child = parent &+ 1
      let kind = elements[Int(parent)].kind
      if kind == .background || kind.rawValue >= Element.Kind.custom.rawValue {
        return addChildrenOutOfOrder(parent, placement, origin, container)
      }
      while child < end {
        let element = elements + Int(child)
        if element.pointee.end == end && !element.pointee.kind.isNode {
          guard placement.pointee.measurement >= 0 else { return }
          start = measurements[Int(placement.pointee.measurement)].placements
          origin += placement.pointee.position.axes
          parent = child
          break
        }
        add(child, placement, origin, container)
        placement += 1
        child = element.pointee.end
      }
    }
  }

  /// Adds the frames of an element whose children have another order, or do not all have a part in the layout.
  private mutating func addChildrenOutOfOrder(
    _ parent: Int32, _ start: UnsafeMutablePointer<LayoutSolver.Placement>, _ origin: Axes, _ container: Container
  ) {
    let end = elements[Int(parent)].end
    var placement = start
    var child = parent &+ 1
    if elements[Int(parent)].kind == .background {
      // The background is behind the child, so that its frame comes first.
      let background = elements[Int(child)].end
      if background < end { add(background, placement + 1, origin, container) }
      add(child, placement, origin, container)
      return
    }
    while child < end {
      if placement.pointee.measurement != LayoutSolver.unused { add(child, placement, origin, container) }
      placement += 1
      child = elements[Int(child)].end
    }
  }
}

extension LayoutSolver {
  /// Appends the frames of the nodes of the last layout, in depth-first order after the frame of the cell itself. If it threw an
  /// error, sizes that are not valid are 0 by 0. The tree must be as it was laid out.
  public mutating func appendFrames(to frames: inout FlatBuffer<Frame>) {
    // Each element can have a frame.
    frames.reserve(Int(elements[0].end) + 1)
    let cell = frames.base + frames.count
    cell.initialize(to: Frame(element: Frame.cell, parent: -1, rect: Rect(origin: .zero, size: root.size)))
    var flattening = Flattening(
      elements: elements, measurements: measurements.base, placements: placements.base, grid: grid, first: cell,
      next: cell + 1)
    var placement = Placement(position: .zero, size: root.size, measurement: root.measurement)
    flattening.add(0, &placement, .zero, Flattening.Container(frame: 0, position: .zero))
    frames.count &+= flattening.number(of: flattening.next)
  }
}
