import LayoutEngine

/// The properties of texts that a cells file states for all of them or for platforms.
public struct PlatformTexts: BitwiseCopyable, Equatable, Sendable {
  /// The language of texts that state none, on platforms that lay out languages.
  public var language = LanguageTag.none
  /// The properties of a TextView.
  public var android = AndroidTextOptions()
  /// The properties of a Text of React Native on Android.
  public var reactNative = AndroidTextOptions()
  /// The properties of a Text of Jetpack Compose.
  public var compose = AndroidTextOptions(.compose)
  /// The properties of a Text of Flutter.
  public var flutter = FlutterTextOptions()

  /// Creates the defaults of the platforms.
  public init() {}

  /// Returns the options of a text on a platform.
  public func options(_ text: TextOptions, for platform: Platform) -> TextOptions {
    var options = text
    if text.css.language == .none && platform.laysOutCSS { options.css.language = language }
    guard platform != .texture else { return options }
    options.platform = platform
    options.flutter = flutter
    options.android = platform == .reactNative ? reactNative : platform == .compose ? compose : android
    if let strategy = text.breakStrategy { options.android.breakStrategy = strategy }
    return options
  }
}

extension Platform {
  /// Whether a text is prepared for one text scale, because advances are rounded at the size at which they are shown.
  public var preparesForTextScale: Bool { self == .firefox }

  /// Returns whether the glyphs of one of some styles are set in another size than that of the style (text-rules 16).
  public func cutsSizes(of styles: [TextStyle]) -> Bool {
    let rules = BrowserRules.rules(for: self)
    return rules.traits.contains(.cutsFontSizes)
      && styles.contains { BrowserFontSize.size($0.size, in: rules.engine) != $0.size }
  }

  /// Whether the properties of CSS beside `white-space`, and the features of fonts, are laid out.
  public var laysOutCSS: Bool { isChromium }

  /// Whether texts have the lines of a browser: they are filled with segments, and not shaped as a whole. The indents and spaces of
  /// paragraphs, and attachments, are laid out, and a device can round advances.
  public var isBrowser: Bool { !isAndroid && self != .flutter }

  /// Whether texts that were prepared for a platform can be measured for the other one.
  ///
  /// - Parameter dependsOnEmojiFonts: the property of the measurer that prepared the texts.
  public func sharesTexts(with other: Platform, dependingOnEmojiFonts dependsOnEmojiFonts: Bool) -> Bool {
    self == other || (isChromium && other.isChromium && !dependsOnEmojiFonts)
  }

  private var isChromium: Bool { self == .texture || self == .web }
}
