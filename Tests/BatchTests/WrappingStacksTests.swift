import GalleyTestSupport
import LayoutEngine
import Testing

@testable import BatchLayout

/// Stacks that wrap, in the width that they have by themselves.
@Suite struct WrappingStacksTests {
  private static let row = #"""
    {"layout":{"type":"stack","children":[{"type":"stack","flexWrap":"wrap","spacing":6,"children":[\#
    {"type":"image","imageSize":[22,20]},{"type":"image","imageSize":[26.6,20]}]},{"type":"image","imageSize":[60,60]}]}}
    """#

  /// The line has 54.66666666666667 points, and the stack is 54.666666666666664 points wide.
  @Test(arguments: [(Platform.texture, 60.0), (.android, 0), (.reactNative, 0), (.compose, 0)])
  func roundingBreaksALineInTextureOnly(platform: Platform, y: Double) throws {
    let layout = try JobLayout.ofRowLayouts(Variant(width: 390, scale: 3, platform: platform))
    layout.layOut([Self.row])
    layout.withColumns(of: 0) { job in #expect(job.columns.frameRect.y[1] == Float(y)) }
  }

  /// Variants of one number of pixels a point share a solver only if their rounding is the same.
  @Test func variantsOfSeveralPlatformsKeepTheirOwnLines() throws {
    let layout = try JobLayout.ofRowLayouts(Variant(width: 390, scale: 3))
    layout.change(to: [.texture, .android, .texture].map { Variant(width: 390, scale: 3, platform: $0) })
    layout.layOut([Self.row])
    let found = (0..<3).map { variant in layout.withColumns(of: variant) { $0.columns.frameRect.y[1] } }
    #expect(found == [60, 0, 60])
  }
}
