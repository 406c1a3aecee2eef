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
  /// Faces found so far for the characters of the basic plane, a page of 65,536 for each primary face; `unknown`
  /// where nobody asked yet.
  private let pages: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>
  private var beyond: [UInt64: UInt8] = [:]

  private static let unknown: UInt8 = 255
  /// No face has the character.
  private static let none: UInt8 = 254
  /// Faces that a book can number.
  public static let maxFaces = 250
  /// Characters beyond the basic plane whose faces are remembered.
  private static let maxBeyond = 65_536

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
    pages = .allocate(capacity: max(faces.count, 1))
    pages.initialize(repeating: nil, count: faces.count)
  }

  deinit {
    for index in faces.indices { pages[index]?.deallocate() }
    pages.deallocate()
    for face in faces { face.destroy() }
    faces.deallocate()
  }

  /// The face for a character of a text set in `primary`: that one, else the first of the fallback faces that has it; nil
  /// if none has, so that `primary` shows .notdef.
  func face(for scalar: UInt32, primary: Int32) -> Int32? {
    if scalar > 0xffff { return faceBeyond(scalar, primary) }
    let page = page(of: primary)
    if page[Int(scalar)] == Self.unknown { page[Int(scalar)] = find(scalar, primary) }
    return page[Int(scalar)] == Self.none ? nil : Int32(page[Int(scalar)])
  }

  private func page(of primary: Int32) -> UnsafeMutablePointer<UInt8> {
    if let page = pages[Int(primary)] { return page }
    let page = UnsafeMutablePointer<UInt8>.allocate(capacity: 0x10000)
    page.initialize(repeating: Self.unknown, count: 0x10000)
    pages[Int(primary)] = page
    return page
  }

  private func faceBeyond(_ scalar: UInt32, _ primary: Int32) -> Int32? {
    let key = UInt64(primary) << 32 | UInt64(scalar)
    if let known = beyond[key] { return known == Self.none ? nil : Int32(known) }
    let found = find(scalar, primary)
    if beyond.count >= Self.maxBeyond { beyond.removeAll(keepingCapacity: true) }
    beyond[key] = found
    return found == Self.none ? nil : Int32(found)
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
