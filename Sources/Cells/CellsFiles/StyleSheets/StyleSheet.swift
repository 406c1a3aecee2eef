import CellTemplates
import TextMeasuring

/// The fonts and texts of a cells file, as a page or an application states them that draws the texts itself. Lengths are in
/// points at text scale 1.
///
/// It is made for the platform `web`.
public struct StyleSheet: Equatable, Sendable {
  /// A face of the fonts. It is a family of its own, so that no other weight or slant is chosen in its place.
  public struct Face: Equatable, Sendable {
    /// The index of the face in the program.
    public var index: Int
    /// The full name of the face, such as `Inter Bold`.
    public var family: String
    /// The weight at which a variable font is used, or nil for the file's own.
    public var weight: UInt32?
    /// The characters for which it is used, and perhaps others; nil for a face in which texts are set.
    public var characters: [ClosedRange<UInt32>]?
    /// The name of its file in the directory of the fonts. The weights of a variable font share one.
    public var fileName: String
  }

  /// A font of the cells file.
  public struct Font: Equatable, Sendable {
    public var name: String
    /// The families of its face and of the fallback, in their order.
    public var families: [String]
    public var size: Double
    /// The height of a line; nil is that of the fonts in it.
    public var lineHeight: Double?
    public var letterSpacing: Double
    public var weight: UInt32?
    public var axes: [FontAxis]
    public var features: [FontFeature]
    /// The growth of its size with the text scale, or nil for that of the platform.
    public var scaling: FontScaling?
    /// Its sizes at all text sizes of iOS by their names, or empty if it states none.
    public var sizes: [String: Double]

    /// Whether its size grows with the text scale.
    public var scales: Bool { scaling != FontScaling.none }
  }

  /// What a form of the sheet cannot express.
  public struct Note: Equatable, Sendable {
    /// The path in the cells file.
    public var path: [String]
    public var message: String
    /// The index of the text, or nil for what concerns a font or the whole file.
    public var text: Int?

    /// The path and the message, such as `cells.PostCell.layout.children[2].truncation: is … in browsers`.
    var description: String { "\(CellError.format(path)): \(message)" }
  }

  public var faces: [Face] = []
  public var fonts: [Font] = []
  public var texts: [StatedText] = []
  /// The language of the file, and the properties of texts on platforms.
  public var platforms = PlatformTexts()
  /// What the sheet cannot express as CSS, for authors of pages.
  public var notes: [Note] = []
  /// What the sheet cannot express as values, for authors of applications.
  public var valueNotes: [Note] = []
}
