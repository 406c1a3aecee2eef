import LayoutEngine

/// The rectangles at the sides of a text beside which its lines are shorter. UIKit: `NSTextContainer.exclusionPaths`; CSS: floats
/// (text-rules 57).
///
/// Lengths are multiples of 1/64 point, as the lengths of Chromium are. Text scaling does not change them.
public struct ExclusionPaths: BitwiseCopyable, Sendable {
  /// The most rectangles of a text.
  public static let maxCount = 8

  private var paths = InlineArray<8, ExclusionPath>(repeating: ExclusionPath(side: .left, y: 0, width: 0, height: 0))
  private var number: UInt8 = 0

  /// Creates no rectangles.
  public init() {}

  /// Creates rectangles, of which those after the first `maxCount` are left out.
  public init(_ paths: [ExclusionPath]) { for path in paths.prefix(Self.maxCount) { append(path) } }

  public var isEmpty: Bool { number == 0 }

  public var count: Int { Int(number) }

  public subscript(index: Int) -> ExclusionPath { paths[index] }

  /// Adds a rectangle. There must be less than `maxCount`. One without an extent has no effect.
  public mutating func append(_ path: ExclusionPath) {
    precondition(count < Self.maxCount)
    guard path.width > 0 && path.height > 0 else { return }
    paths[count] = path
    number += 1
  }

  /// Returns what the rectangles exclude of a line.
  ///
  /// - Parameters:
  ///   - top: the distance from the top of the text to the top of the line, in points.
  ///   - height: the height of the line, in points.
  func exclusion(top: Double, height: Double) -> LineExclusion {
    // Sums of heights have errors.
    let top = (top * LinePen.fraction).rounded() / LinePen.fraction
    var exclusion = LineExclusion()
    for index in 0..<count {
      let (y, bottom) = (Double(paths[index].y), Double(paths[index].bottom))
      guard bottom > top && (y < top + height || y == top) else { continue }
      switch paths[index].side {
      case .left: exclusion.left = max(exclusion.left, paths[index].width)
      case .right: exclusion.right = max(exclusion.right, paths[index].width)
      }
    }
    return exclusion
  }

  /// Returns the least distance from the top of the text, below `top`, at which a rectangle ends; nil if none does.
  func nextBottom(below top: Double) -> Double? {
    var next: Double?
    for index in 0..<count where Double(paths[index].bottom) > top {
      next = min(next ?? .infinity, Double(paths[index].bottom))
    }
    return next
  }
}

extension ExclusionPaths: Equatable {
  public static func == (one: ExclusionPaths, other: ExclusionPaths) -> Bool {
    one.number == other.number && (0..<one.count).allSatisfy { one[$0] == other[$0] }
  }
}

extension ExclusionPath {
  var bottom: Float { y + height }
}

/// What rectangles exclude of a line, in points.
public struct LineExclusion: BitwiseCopyable, Equatable, Sendable {
  /// The width at the left side of the text.
  public var left: Float = 0
  /// The width at the right side of the text.
  public var right: Float = 0
  /// The distance by which the line is lower, because the places above it have no room for its first word.
  var space: Float = 0

  var width: Double { Double(left) + Double(right) }
}
