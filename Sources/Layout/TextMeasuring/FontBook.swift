import Buffers
import CICU

/// The faces of a program and, for every character, the first of them that has it.
public final class FontBook {
  /// Where a face comes from. The file's bytes must outlive the book.
  public struct Source {
    public var file: ByteString
    /// Which face of a collection.
    public var index: UInt32
    /// Weight at which to use a variable font; 0: as it is.
    public var weight: UInt32
    /// Where on its other axes to use a variable font.
    public var axes: [FontAxis]

    public init(file: ByteString, index: UInt32, weight: UInt32, axes: [FontAxis] = []) {
      self.file = file
      self.index = index
      self.weight = weight
      self.axes = axes
    }
  }

  let faces: UnsafeBufferPointer<Face>
  /// The first face that has emoji, if any.
  let emojiFace: Int32?
  private let fallback: [Int32]
  /// The pages of the faces found so far, `pagesPerFace` for each primary face; nil for a page without a character
  /// looked up yet. A page has a face, `none` or `unknown` for each of its characters.
  private let pages: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>

  /// The number of characters in a page.
  private static let pageSize: UInt32 = 4096
  private static let pagesPerFace = 0x110000 / Int(pageSize)

  private static let unknown: UInt8 = 255
  /// No face has the character.
  private static let none: UInt8 = 254
  /// Faces that a book can number.
  public static let maxFaces = 250

  /// - Parameter fallback: faces to try, in order, for what a text's own face lacks.
  /// - Throws: `BrokenFace` for a file that HarfBuzz cannot read.
  public init(_ sources: [Source], fallback: [Int32]) throws(BrokenFace) {
    let faces = UnsafeMutableBufferPointer<Face>.allocate(capacity: sources.count)
    for (index, source) in sources.enumerated() {
      guard let face = Face(source) else {
        for face in faces[..<index] { face.destroy() }
        faces.deallocate()
        throw BrokenFace(index: index)
      }
      faces.initializeElement(at: index, to: face)
    }
    self.faces = UnsafeBufferPointer(faces)
    self.fallback = fallback
    emojiFace = faces.firstIndex { $0.covers(0x1f600) }.map(Int32.init)
    pages = .allocate(capacity: max(faces.count, 1) * Self.pagesPerFace)
    pages.initialize(repeating: nil, count: faces.count * Self.pagesPerFace)
  }

  deinit {
    for index in 0..<faces.count * Self.pagesPerFace { pages[index]?.deallocate() }
    pages.deallocate()
    for face in faces { face.destroy() }
    faces.deallocate()
  }

  /// The face for a character of a text set in `primary`: that one, else the first of the fallback faces that has it; nil
  /// if none has, so that `primary` shows .notdef.
  func face(for scalar: UInt32, primary: Int32) -> Int32? {
    let index = Int(primary) * Self.pagesPerFace + Int(scalar / Self.pageSize)
    let page = pages[index] ?? makePage(index)
    let slot = Int(scalar % Self.pageSize)
    if page[slot] == Self.unknown { page[slot] = find(scalar, primary) }
    return page[slot] == Self.none ? nil : Int32(page[slot])
  }

  private func makePage(_ index: Int) -> UnsafeMutablePointer<UInt8> {
    let page = UnsafeMutablePointer<UInt8>.allocate(capacity: Int(Self.pageSize))
    page.initialize(repeating: Self.unknown, count: Int(Self.pageSize))
    pages[index] = page
    return page
  }

  /// The first face that is as wanted: `primary`, else one of the fallback faces.
  func firstFace(primary: Int32, where isWanted: (Face) -> Bool) -> Int32? {
    if isWanted(faces[Int(primary)]) { return primary }
    return fallback.first { isWanted(faces[Int($0)]) }
  }

  /// Of a space or an ideographic space.
  func advance(of space: UInt16, in face: Int32) -> Int32 {
    space == 0x20 ? faces[Int(face)].spaceAdvance : faces[Int(face)].advance(of: UInt32(space))
  }

  func coversAscii(_ face: Int32) -> Bool { faces[Int(face)].coversAscii }

  private func find(_ scalar: UInt32, _ primary: Int32) -> UInt8 {
    if faces[Int(primary)].covers(scalar) { return UInt8(primary) }
    return fallback.first { faces[Int($0)].covers(scalar) }.map { UInt8($0) } ?? Self.none
  }
}

/// A place on an axis of a variable font.
public struct FontAxis: Hashable, Sendable {
  /// The four letters of the axis' name, such as `wdth`, as a big-endian number.
  public var tag: UInt32
  public var value: Float

  public init(tag: UInt32, value: Float) {
    self.tag = tag
    self.value = value
  }
}

/// A font file that is none, or lacks the face.
public struct BrokenFace: Error {
  /// Index among the faces of the program.
  public let index: Int
}
