import LayoutEngine
import Testing

@testable import Viewer

/// Tests of the names of variants.
@Suite struct VariantNameTests {
  @Test func theNameOfAVariantStatesAllOfIt() {
    for platform in Platform.allCases {
      for textSize in [nil] + TextSize.allCases.map(Optional.init) {
        for (textScale, scale) in [(1.0, 2.0), (1.35, 2), (1, 3), (1.5, 2.625)] {
          let variant = Variant(
            width: 390.5, textScale: textScale, scale: scale, platform: platform, textSize: textSize)
          #expect(LayoutEngine.Variant(name: variant.name) == variant, "\(variant.name)")
        }
      }
    }
    #expect(Variant(width: 390, textScale: 1.35, scale: 3, textSize: .accessibility1).name == "w390-t1.35-tAX1@3x")
  }

  @Test(arguments: ["w390-tAX6", "w390-tXL", "w390-t", "w390-tL-t1.5", "w390-tL-tM", "w390tL", "w390-tL@2x"])
  func anotherNameIsNotThatOfAVariant(name: String) {
    #expect(LayoutEngine.Variant(name: name) == nil)
  }
}
