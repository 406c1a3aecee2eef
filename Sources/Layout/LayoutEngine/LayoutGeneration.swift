/// The generation of AsyncDisplayKit whose rules a layout follows (layout-semantics 11).
@frozen
public enum LayoutGeneration: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// AsyncDisplayKit 1.9.
  case first = 1
  /// AsyncDisplayKit 2 and Texture.
  case second
}
