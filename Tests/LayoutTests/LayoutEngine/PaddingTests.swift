import Testing

@testable import LayoutEngine

/// Elements and styles are compared as bytes, and bytes of padding that a structure does not declare are arbitrary in optimized
/// code.
@Suite struct PaddingTests {
  @Test(
    arguments: [
      Element.node, LayoutElementStyle(), Dimension.auto, RelativeSizeRange.unconstrained, Size.zero, Point.zero,
    ] as [any Sendable])
  func comparedStructuresDeclareAllTheirBytes(structure: any Sendable) {
    let declared = Mirror(reflecting: structure).children.map { stride($0.value) }
    #expect(declared.reduce(0, +) == stride(structure), "\(declared)")
  }

  /// Returns the distance in bytes of the values of an array.
  private func stride(_ value: Any) -> Int {
    func stride<Value>(of value: Value) -> Int { MemoryLayout<Value>.stride }
    return _openExistential(value, do: stride)
  }
}
