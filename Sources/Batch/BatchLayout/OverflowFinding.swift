import Buffers
import CellTemplates
import LayoutEngine

/// A finding about something in a laid out cell that does not fit.
public struct OverflowFinding: Equatable {
  public enum Kind: Equatable, Sendable {
    /// The children of a stack are longer than the stack.
    case stack
    /// A node extends beyond the cell.
    case outsideCell
    /// The lines of a text are higher than its frame.
    case text
  }

  public let kind: Kind
  /// The index of the element in the row's tree.
  let element: Int32
  /// The path of the element in the cells file: `layout`, `children`, `2`.
  public let path: [String]
  /// The length that does not fit, in points.
  public let points: Double
  /// The area that does not fit, in the cell's coordinates.
  public internal(set) var area: Rect
  /// The parts of the message before and after the number of points.
  private let messageStart, messageEnd: String

  /// The message: `children are 267 pt longer than the stack and none may shrink: give "text" flexShrink: 1`.
  public var message: String { "\(messageStart)\(Self.format(points)) pt \(messageEnd)" }

  /// The message without the number of points, for several rows.
  public var messageWithoutPoints: String { messageStart + messageEnd }

  fileprivate init(
    _ kind: Kind, _ found: LaidOutElement, _ points: Double, _ area: Rect, _ messageStart: String,
    _ messageEnd: String
  ) {
    self.kind = kind
    element = found.result.element
    path = found.path
    self.points = points
    self.area = area
    (self.messageStart, self.messageEnd) = (messageStart, messageEnd)
  }

  /// Returns a number of points with at most one decimal.
  public static func format(_ points: Double) -> String {
    shortText((points * 10).rounded() / 10)
  }

  /// Returns the findings of a cell in the order of its elements.
  ///
  /// - Parameter scale: the number of device pixels in a point. An excess of at most half a pixel is caused by
  ///   rounding.
  static func all(in elements: [LaidOutElement], cell: Size, scale: Double) -> [OverflowFinding] {
    let tolerance = 0.5 / scale
    var children = [[LaidOutElement]](repeating: [], count: elements.count)
    for element in elements where element.parent >= 0 { children[element.parent].append(element) }
    var findings: [OverflowFinding] = []
    // The lengths by which each node may extend beyond the cell, because an ancestor is reported or was rounded.
    var allowed = [Size](repeating: .zero, count: elements.count)
    for (index, element) in elements.enumerated() {
      if element.parent >= 0 { allowed[index] = allowed[element.parent] }
      if element.element.kind == .stack {
        let finding = stackOverflow(element, children[index], tolerance)
        if let finding { findings.append(finding) }
        let more = finding == nil ? rounding(of: children[index], tolerance) : .infinity
        if element.element.stack.direction == .vertical {
          allowed[index].height += more
        } else {
          allowed[index].width += more
        }
      }
      if let finding = textOverflow(element, tolerance) { findings.append(finding) }
      if let finding = outsideCell(element, cell, tolerance, &allowed[index]) { findings.append(finding) }
      // The content of a scroll node may be larger than the node.
      if element.element.kind == .scroll { allowed[index] = .unbounded }
    }
    return findings
  }

  // MARK: Stacks

  /// Returns the length by which rounding may have enlarged children: each child that shrank was rounded up to a pixel.
  private static func rounding(of children: [LaidOutElement], _ tolerance: Double) -> Double {
    Double(children.filter { $0.style.flexShrink > 0 }.count) * 2 * tolerance
  }

  private static func stackOverflow(
    _ stack: LaidOutElement, _ children: [LaidOutElement], _ tolerance: Double
  ) -> OverflowFinding? {
    guard stack.result.constrainedSize != nil else { return nil }
    let axis: LengthAxis = stack.element.stack.direction == .vertical ? .height : .width
    func length(_ element: LaidOutElement) -> Double {
      axis.length(element.result.size) + element.style.spacingBefore + element.style.spacingAfter
    }
    // A stack that wraps is too short only if a child does not fit on a line of its own.
    let longest = children.max { length($0) < length($1) }
    let tooLong = stack.element.stack.flexWrap == .noWrap ? children : longest.map { [$0] } ?? []
    guard !tooLong.isEmpty else { return nil }
    let used = tooLong.reduce(stack.element.stack.spacing * Double(tooLong.count - 1)) { $0 + length($1) }
    let excess = used - axis.length(stack.result.size)
    guard excess > tolerance + rounding(of: tooLong, tolerance), excess.isFinite else { return nil }
    return OverflowFinding(
      .stack, stack, excess, stackArea(stack, tooLong, excess, axis),
      "children are ", "longer than the stack and " + stackAdvice(tooLong, length))
  }

  /// Returns advice for children that are too long.
  private static func stackAdvice(
    _ children: [LaidOutElement], _ length: (LaidOutElement) -> Double
  ) -> String {
    let rigid = children.filter { $0.style.flexShrink == 0 && $0.type != .spec }
    // A text can shrink best. If there is none, the longest child is named.
    let best = (rigid.filter { $0.type == .text }.isEmpty ? rigid : rigid.filter { $0.type == .text })
      .max { length($0) < length($1) }
    let shrinking = children.filter { $0.style.flexShrink > 0 }.map(\.name)
    let advice = best.map { "give \($0.name) flexShrink: 1" } ?? "give the stack more room or fewer children"
    if shrinking.isEmpty { return "none may shrink: \(advice)" }
    return "\(shrinking.joined(separator: ", ")) cannot shrink by as much: \(advice)"
  }

  /// Returns the part of the children that is behind the end of their stack.
  private static func stackArea(
    _ stack: LaidOutElement, _ children: [LaidOutElement], _ excess: Double, _ axis: LengthAxis
  ) -> Rect {
    func end(_ element: LaidOutElement) -> Double { axis.position(element.origin) + axis.length(element.result.size) }
    let size = stack.result.size
    // Centred children extend beyond both ends. The area is at the end.
    let behind = (children.map(end).max() ?? 0) - end(stack)
    let length = behind > 0 ? min(behind, excess) : 0
    return axis == .height
      ? Rect(stack.origin.x, stack.origin.y + size.height, size.width, length)
      : Rect(stack.origin.x + size.width, stack.origin.y, length, size.height)
  }

  // MARK: Texts

  private static func textOverflow(_ text: LaidOutElement, _ tolerance: Double) -> OverflowFinding? {
    guard let frame = text.frame, let needed = text.neededHeight else { return nil }
    let excess = needed - frame.size.height
    guard excess > tolerance, excess.isFinite else { return nil }
    let bottom = frame.origin.y + frame.size.height
    return OverflowFinding(
      .text, text, excess, Rect(frame.origin.x, bottom - cutMark, frame.size.width, cutMark),
      "its lines need ", "more height than its frame has and are cut: give it more height or a maximumNumberOfLines")
  }

  /// The height of the mark at the bottom of a text that is cut, in points.
  private static let cutMark = 2.0

  // MARK: Cells

  private static func outsideCell(
    _ node: LaidOutElement, _ cell: Size, _ tolerance: Double, _ allowed: inout Size
  ) -> OverflowFinding? {
    guard let frame = node.frame else { return nil }
    let horizontal = [
      ("left", -frame.origin.x), ("right", frame.origin.x + frame.size.width - cell.width),
    ].filter { $0.1 > tolerance + allowed.width && $0.1.isFinite }
    let vertical = [
      ("top", -frame.origin.y), ("bottom", frame.origin.y + frame.size.height - cell.height),
    ].filter { $0.1 > tolerance + allowed.height && $0.1.isFinite }
    // The nodes inside this one extend beyond the cell with it and are not reported.
    if !horizontal.isEmpty { allowed.width = .infinity }
    if !vertical.isEmpty { allowed.height = .infinity }
    guard let (side, points) = (horizontal + vertical).max(by: { $0.1 < $1.1 }) else { return nil }
    return OverflowFinding(.outsideCell, node, points, frame, "is ", "outside the cell at its \(side)")
  }
}
