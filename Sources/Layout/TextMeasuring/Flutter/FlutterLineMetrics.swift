/// The distances of the top and bottom of a line from its baseline in points, in Skia's signs: distances above the
/// baseline are negative. Source: SkParagraph's `InternalLineMetrics` and `Run::calculateMetrics`.
struct FlutterLineMetrics: BitwiseCopyable {
  var ascent: Float = 0
  var descent: Float = 0
  /// The ascent of the fonts themselves.
  var rawAscent: Float = 0
  var rawDescent: Float = 0
  var leading: Float = 0
  var isEmpty = true

  /// The metrics of no line.
  init() {}

  /// The metrics of a style in a face.
  init(_ style: TextStyle, _ face: Face, textScale: Double, _ options: FlutterTextOptions) {
    let height = style.lineHeight.isNaN ? nil : Float(style.lineHeight / style.size)
    self.init(face, size: Float(style.size * textScale), height: height, even: options.evenLeading)
  }

  /// The metrics of a face at a size, half of whose line gap is on each side.
  ///
  /// - Parameters:
  ///   - height: the height of the line divided by the size, if it is stated.
  ///   - even: whether the space is divided evenly above and below the text.
  private init(_ face: Face, size: Float, height: Float?, even: Bool) {
    self.init(face, size: size)
    ascent -= leading / 2
    descent += leading / 2
    leading = 0
    if let height, height > 0 { fill(height * size, over: descent - ascent, even: even) }
  }

  /// The metrics of a face at a size, with its line gap as leading.
  private init(_ face: Face, size: Float) {
    let unitsPerEm = Float(face.unitsPerEm)
    rawAscent = Float(-face.bitmapAscender) / unitsPerEm * size
    rawDescent = Float(face.bitmapDescender) / unitsPerEm * size
    (ascent, descent, leading) = (rawAscent, rawDescent, Float(face.lineGap) / unitsPerEm * size)
    isEmpty = false
  }

  /// The metrics of a strut in a face at a size. The line gap of the face only reduces a height that is divided in
  /// proportion. Source: `ParagraphImpl::resolveStrut`.
  init(_ strut: FlutterStrut, _ face: Face, size: Float) {
    self.init(face, size: size)
    let own = strut.evenLeading ? descent - ascent : descent - ascent + leading
    if let height = strut.height, height > 0 { fill(Float(height) * size, over: own, even: strut.evenLeading) }
    leading = Float(strut.leading) * size
  }

  /// The metrics of an empty text. They are computed from a rounded height, and both ends of the text are its first and its last line.
  /// Source: `ParagraphImpl::computeEmptyMetrics`.
  init(ofEmptyTextIn style: TextStyle, _ face: Face, textScale: Double, _ options: FlutterTextOptions) {
    let size = Float(style.size * textScale)
    self.init(face, size: size)
    if !style.lineHeight.isNaN, style.lineHeight > 0 {
      let line = Float(style.lineHeight / style.size) * size
      if options.strut?.evenLeading == true {
        leading += line - height
      } else {
        let factor = line / height
        ascent *= factor
        descent *= factor
        leading *= factor
      }
    }
    if !options.appliesHeightToFirstAscent { ascent = rawAscent }
    if !options.appliesHeightToLastDescent { descent = rawDescent }
  }

  /// Changes the ascent and the descent so that their sum is a line height.
  ///
  /// - Parameter own: the height of the font.
  private mutating func fill(_ line: Float, over own: Float, even: Bool) {
    if even {
      let extra = (line - own) / 2
      ascent -= extra
      descent += extra
    } else {
      let factor = line / own
      ascent *= factor
      descent *= factor
    }
  }

  /// The distance of the top from the baseline.
  var above: Double { Double(leading / 2 - ascent) }

  /// The distance of the bottom from the baseline.
  var below: Double { Double(height - (leading / 2 - ascent)) }

  mutating func formUnion(_ other: FlutterLineMetrics) {
    guard !other.isEmpty else { return }
    guard !isEmpty else {
      self = other
      return
    }
    (ascent, descent) = (min(ascent, other.ascent), max(descent, other.descent))
    (rawAscent, rawDescent) = (min(rawAscent, other.rawAscent), max(rawDescent, other.rawDescent))
  }

  /// The height of the line, which is a whole number.
  var height: Float { Float((Double(descent) - Double(ascent) + Double(leading)).rounded()) }
}
