import Buffers

/// The faces that texts are set in, and the choice of a face for each character (text-rules 17).
///
///     let source = FontBook.Source(file: bytes, index: 0, weight: 0)
///     let book = try FontBook([source], fallback: [])
///
/// A book must be used by one thread.
public final class FontBook {
  /// The source of a face. The bytes of the file must outlive the book.
  public struct Source {
    /// The bytes of an OpenType or TrueType file.
    public var file: ByteString
    /// The index of the face in a collection; 0 for other files.
    public var index: UInt32
    /// The weight at which a variable font is used, from 1 to 1000; 0 is the default of the file.
    public var weight: UInt32
    /// The values of a variable font's other axes.
    public var axes: [FontAxis]
    /// The features of the font, at most 16. A text has them in its fallback fonts too.
    public var features: [FontFeature]

    /// Creates a source.
    public init(
      file: ByteString, index: UInt32, weight: UInt32, axes: [FontAxis] = [], features: [FontFeature] = []
    ) {
      self.features = features
      self.file = file
      self.index = index
      self.weight = weight
      self.axes = axes
    }
  }

  let faces: UnsafeBufferPointer<Face>
  /// The features that the faces state.
  let features: FontFeatures
  /// The index of the first face that has emoji, if any.
  let emojiFace: Int32?
  /// The indices of the faces for characters that the primary face lacks, in their order.
  let fallback: [Int32]
  /// The pages of the faces found so far, `pagesPerFace` for each primary face without and with `composes`; nil for a page without
  /// a character looked up yet. A page has a face, `none` or `unknown` for each of its characters.
  private let pages: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>

  /// The number of characters in a page.
  private static let pageSize: UInt32 = 4096
  private static let pagesPerFace = 0x110000 / Int(pageSize)

  /// The value of a character that was not looked up yet.
  private static let unknown: UInt8 = 255
  /// The value of a character that no face has.
  private static let none: UInt8 = 254
  /// The most different lists of features of a book.
  public static let maxFeatureLists = ShapingContext.maxFeatures
  /// The most features of a face.
  public static let maxFeatures = FontFeatures.maxCount
  /// The most faces of a book.
  public static let maxFaces = 250

  /// Creates a book.
  ///
  /// - Parameters:
  ///   - sources: the faces, at most `maxFaces`. Styles refer to them by their indices.
  ///   - fallback: the indices of the faces that are tried, in their order, for characters that a text's own face lacks.
  /// - Throws: `BrokenFace` for a file that HarfBuzz cannot read, or that lacks the face.
  public init(_ sources: [Source], fallback: [Int32]) throws(BrokenFace) {
    let faces = UnsafeMutableBufferPointer<Face>.allocate(capacity: sources.count)
    var features = FontFeatures()
    for (index, source) in sources.enumerated() {
      guard var face = Face(source) else {
        for face in faces[..<index] { face.destroy() }
        faces.deallocate()
        features.destroy()
        throw BrokenFace(index: index)
      }
      face.features = features.number(of: source.features)
      faces.initializeElement(at: index, to: face)
    }
    self.faces = UnsafeBufferPointer(faces)
    self.features = features
    self.fallback = fallback
    let emoji = faces.indices.filter { faces[$0].covers(0x1f600) }
    // Fonts for texts have some emoji without colors.
    emojiFace = (emoji.first { faces[$0].hasColors } ?? emoji.first).map(Int32.init)
    pages = .allocate(capacity: max(faces.count, 1) * 2 * Self.pagesPerFace)
    pages.initialize(repeating: nil, count: faces.count * 2 * Self.pagesPerFace)
  }

  deinit {
    for index in 0..<faces.count * 2 * Self.pagesPerFace { pages[index]?.deallocate() }
    pages.deallocate()
    for face in faces { face.destroy() }
    faces.deallocate()
    features.destroy()
  }

  /// Returns the face for a character of a text set in the face `primary`: `primary` if it has the character, otherwise the
  /// first fallback face that has it; nil if none has, so that `primary` shows .notdef.
  ///
  /// - Parameter composes: whether a face also has the characters that HarfBuzz shows by others of the face.
  func face(for scalar: UInt32, primary: Int32, composes: Bool = false) -> Int32? {
    let index = (Int(primary) * 2 + (composes ? 1 : 0)) * Self.pagesPerFace + Int(scalar / Self.pageSize)
    let page = pages[index] ?? makePage(index)
    let slot = Int(scalar % Self.pageSize)
    if page[slot] == Self.unknown { page[slot] = find(scalar, primary, composes) }
    return page[slot] == Self.none ? nil : Int32(page[slot])
  }

  private func makePage(_ index: Int) -> UnsafeMutablePointer<UInt8> {
    let page = UnsafeMutablePointer<UInt8>.allocate(capacity: Int(Self.pageSize))
    page.initialize(repeating: Self.unknown, count: Int(Self.pageSize))
    pages[index] = page
    return page
  }

  /// Returns the index of the first of `primary` and the fallback faces, without `excluded`, for which a condition holds, or nil.
  func firstFace(primary: Int32, but excluded: Int32? = nil, where condition: (Int32) -> Bool) -> Int32? {
    if primary != excluded && condition(primary) { return primary }
    return fallback.first { $0 != excluded && condition($0) }
  }

  /// Returns the advance of a space or an ideographic space, in the units of a context's advances.
  @inline(__always)
  func advance(of space: UInt16, _ context: ShapingContext) -> Int32 {
    let face = Int(context.face)
    let advance = space == 0x20 ? faces[face].spaceAdvance : faces[face].advance(of: UInt32(space))
    return context.rounding == 0 ? advance : AdvanceRounding(faces[face], context)(advance)
  }

  /// Returns whether a face has all characters from space to `~`.
  func coversAscii(_ face: Int32) -> Bool { faces[Int(face)].coversAscii }

  private func find(_ scalar: UInt32, _ primary: Int32, _ composes: Bool) -> UInt8 {
    let face = firstFace(primary: primary) { index in
      faces[Int(index)].covers(scalar) || (composes && faces[Int(index)].composes(scalar))
    }
    return face.map { UInt8($0) } ?? Self.none
  }
}

/// A value on an axis of a variable font.
public struct FontAxis: Hashable, Sendable {
  /// The four letters of the axis, such as `wdth`, as a big-endian number.
  public var tag: UInt32
  /// The value in the units of the axis.
  public var value: Float

  /// Creates a value on an axis.
  public init(tag: UInt32, value: Float) {
    self.tag = tag
    self.value = value
  }
}

/// The error of a font file that cannot be read, or that lacks the face.
public struct BrokenFace: Error {
  /// The index of the source.
  public let index: Int
}
