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

  /// The metrics of a style in a face, half of whose line gap is on each side.
  init(_ style: TextStyle, _ face: Face, textScale: Double, _ options: FlutterTextOptions) {
    let size = Float(style.size * textScale)
    self.init(face, size: size)
    ascent -= leading / 2
    descent += leading / 2
    leading = 0
    let height = Float(style.lineHeight / style.size)
    if height > 0 { fill(height * size, over: descent - ascent, even: options.leadingDistribution == .even) }
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
    let isEven = strut.leadingDistribution == .even
    let own = isEven ? descent - ascent : descent - ascent + leading
    if let height = strut.height, height > 0 { fill(Float(height) * size, over: own, even: isEven) }
    leading = Float(strut.leading) * size
  }

  /// The metrics of an empty text. They are computed from a rounded height, and both ends of the text are its first and its last line.
  /// Source: `ParagraphImpl::computeEmptyMetrics`.
  init(ofEmptyTextIn style: TextStyle, _ face: Face, textScale: Double, _ options: FlutterTextOptions) {
    let size = Float(style.size * textScale)
    self.init(face, size: size)
    if style.lineHeight > 0 {
      let (own, line) = (height, Float(style.lineHeight / style.size) * size)
      if options.strut?.leadingDistribution == .even {
        leading += line - own
      } else {
        fill(line, over: own, even: false)
        leading *= line / own
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
