/// The direction in which the subnodes of a node follow each other horizontally (layout-semantics 6.1). UIKit:
/// `UIUserInterfaceLayoutDirection`.
@frozen
public enum LayoutDirection: UInt8, BitwiseCopyable, Sendable, NamedValue {
  /// From left to right: `start` is left.
  case ltr
  /// From right to left: each subnode is mirrored within its node, so that `start` is right.
  case rtl

  /// The name in cells files, options and tables.
  public var name: String { self == .ltr ? "ltr" : "rtl" }
}

extension Element {
  /// The direction that a node states for its subnodes; nil for that of the list, and meaningless for other kinds. Texture:
  /// `semanticContentAttribute`.
  public var layoutDirection: LayoutDirection? {
    get { options.4 == 0 ? nil : LayoutDirection(rawValue: options.4 - 1) }
    set { options.4 = newValue.map { $0.rawValue + 1 } ?? 0 }
  }
}
