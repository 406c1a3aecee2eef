import CellTemplates
import LayoutEngine
import TextMeasuring

/// The conditions under which the texts of a variant are prepared.
struct TextPreparation: Equatable {
  let platform: Platform
  /// The text scale of the variant; see `JobLayout.textScale(ofText:)`.
  let textScale: Double
  /// The conversion of the styles of texts whose fonts are not all multiplied by the text scale; nil if there are none.
  let scaling: StyleScaling?
  /// Whether texts are prepared as the devices of a calibrated platform have them.
  let isCalibrated: Bool
  /// Whether texts are prepared for this platform and text scale alone.
  private let isOwn: Bool

  /// Creates the conditions before the first variant: those of `texture` at text scale 1, without a calibration.
  init() {
    (platform, textScale, scaling, isCalibrated, isOwn) = (.texture, 1, nil, false, false)
  }

  init(_ variant: Variant, _ program: CellProgram) {
    platform = variant.platform
    textScale = variant.textScale
    scaling = program.fonts.scales.scaling(in: variant)
    isCalibrated = program.calibrations[variant.platform] != nil
    isOwn =
      isCalibrated || variant.platform.preparesForTextScale || variant.platform.cutsSizes(of: program.fonts.styles)
  }

  /// Returns whether texts that were prepared under other conditions can be measured under these.
  ///
  /// - Parameter dependsOnEmojiFonts: the property of the measurer that prepared the texts.
  func sharesTexts(with other: TextPreparation, dependingOnEmojiFonts dependsOnEmojiFonts: Bool) -> Bool {
    if isOwn || other.isOwn { return self == other }
    return scaling == other.scaling
      && platform.sharesTexts(with: other.platform, dependingOnEmojiFonts: dependsOnEmojiFonts)
  }
}
