import Glibc
import SeededRandom
import Testing

@testable import LayoutEngine

/// The cases of Texture's ASDimensionTests and ASLayoutElementStyleTests.
@Suite struct DimensionTests {
  @Test(arguments: [
    ("", Dimension.auto), ("auto", .auto), ("50%", .fraction(0.5)), ("100pt", .points(100)), ("nonsense", .auto),
    ("min(240, 80%)", .min(240, fraction: 0.8)), ("max(50%,12.5pt)", .max(12.5, fraction: 0.5)), ("min(1, 2)", .auto),
    ("min(1%)", .auto), ("0x10%", .auto), ("0X1p3pt", .auto), ("min(0x10, 80%)", .auto), ("inf%", .auto),
    ("nanpt", .auto),
  ])
  func stringsBecomeDimensions(text: String, expected: Dimension) {
    #expect(Dimension(text) == expected)
  }

  @Test func descriptionsAreRoundedToWholeNumbers() {
    #expect(Dimension.points(12.4).description == "12pt")
    #expect(Dimension.fraction(0.256).description == "26%")
    #expect(Dimension.auto.description == "Auto")
    #expect(Dimension.min(240, fraction: 0.8).description == "min(240pt, 80%)")
  }

  @Test(arguments: [
    (0.0, 10.0, 7.0, 15.0, 7.0, 10.0),  // overlapping
    (2, 8, 0, 10, 2, 8),  // contained in the other
    (0, 10, 2, 8, 2, 8),  // contains the other
    (0, 5, 10, 15, 5, 5),  // before the other: own maximum
    (10, 15, 0, 5, 10, 10),  // after the other: own minimum
  ])
  func rangesIntersectAsInTexture(
    low: Double, high: Double, otherLow: Double, otherHigh: Double, min: Double, max: Double
  ) {
    let range = SizeRange(min: Size(low, low), max: Size(high, high))
    let other = SizeRange(min: Size(otherLow, otherLow), max: Size(otherHigh, otherHigh))
    #expect(range.intersect(other) == SizeRange(min: Size(min, min), max: Size(max, max)))
  }

  @Test func theMinimumOverridesTheMaximumAndBothOverrideTheSize() {
    var style = LayoutElementStyle()
    style.width = 50
    style.minWidth = 80
    style.maxWidth = 60
    #expect(style.widths(100) == (80, 80))
    style.minWidth = .auto
    #expect(style.widths(100) == (50, 50))
    style.maxWidth = 40
    #expect(style.widths(100) == (40, 40))
  }

  @Test func fractionsOfAnUndefinedParentActAsAuto() {
    var style = LayoutElementStyle()
    style.width = .fraction(0.5)
    #expect(style.widths(.nan) == (0, .infinity))
    #expect(style.widths(200) == (100, 100))
  }

  /// CSS Values and Units 4, 10.2: min() and max() of a length and a percentage.
  @Test(arguments: [(200.0, 120.0, 160.0), (400, 240, 240), (.infinity, 240, .infinity), (.nan, 240, 240)])
  func theSmallerOrTheLargerOfPointsAndAFractionIsChosen(parent: Double, smaller: Double, larger: Double) {
    let fraction = smaller == 120 ? 0.6 : 0.9
    #expect(Dimension.min(240, fraction: fraction).resolve(parent, auto: 7) == smaller)
    #expect(Dimension.max(parent == 200 ? 160 : 240, fraction: 0.6).resolve(parent, auto: 7) == larger)
  }

  /// A pixel more or less is often enough to break a line of cells.
  @Test func chosenPointsAndFractionsAreExactlyTheStatedOnes() {
    var random = SplitMix(seed: 1)
    for _ in 0..<10_000 {
      let decimals = pow(10.0, Double(random.below(10)))
      let percent = "\((random.unit() * 1000 * decimals).rounded() / decimals)%"
      let alone = Dimension(percent).resolve(1e6 / 3, auto: 0)
      #expect(Dimension("min(1e12, \(percent))").resolve(1e6 / 3, auto: 0) == alone, "\(percent)")
      let points = random.unit() * 1000
      #expect(Dimension("max(\(points), 0%)").resolve(500, auto: 0) == points)
    }
    #expect(abs(Dimension.min(1e9, fraction: 1 / 3).resolve(1e6, auto: 0) - 1e6 / 3) < 1e-7)
  }

  /// All bits of this NaN are 1.
  @Test func aChoiceWithNaNIsInNoRange() {
    #expect(!Dimension("min(1, -nan(0xfffffffffffff)%)").isIn(points: 1e6, fraction: 100))
    #expect(!Dimension.max(1, fraction: .nan).isIn(points: 1e6, fraction: 100))
    #expect(!Dimension.max(1, fraction: -.greatestFiniteMagnitude).isIn(points: 1e6, fraction: 100))
  }

  @Test func settingPreferredSizeSetsWidthAndHeight() {
    var style = LayoutElementStyle()
    #expect(style.preferredSize == .zero)
    style.preferredSize = Size(100, 90)
    #expect(style.width == 100 && style.height == 90)
  }
}

/// Rounding to pixels (layout-semantics 1).
@Suite struct PixelGridTests {
  @Test(arguments: [(10.1, 10.5), (10.5, 10.5), (10.50000005, 10.5), (-10.25, -10), (0, 0)])
  func lengthsAreRoundedUpToPixels(points: Double, ceiled: Double) {
    #expect(PixelGrid(scale: 2).ceil(points) == ceiled)
  }

  @Test func floatingPointNoiseDoesNotCostAPixel() {
    let grid = PixelGrid(scale: 3)
    #expect(grid.ceil(1.0 / 3 + 1e-9) == 1.0 / 3)
    #expect(grid.floor(2.0 / 3 - 1e-9) == 2.0 / 3)
  }

  @Test func halvesAreRoundedAwayFromZero() {
    let grid = PixelGrid(scale: 1)
    #expect(grid.round(2.5) == 3 && grid.round(-2.5) == -3)
  }

  @Test func infinityAndNaNAreNotRounded() {
    let grid = PixelGrid(scale: 2)
    #expect(grid.ceil(.infinity) == .infinity)
    #expect(grid.ceil(Double.nan).isNaN)
  }
}
