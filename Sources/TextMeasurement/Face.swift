import Buffers
import CHarfBuzz

/// One face of a font file, as HarfBuzz sees it. Lengths are in font units.
final class Face {
  let font: OpaquePointer
  let unitsPerEm: Double
  let ascender: Double
  /// Below the baseline, so positive.
  let descender: Double
  let spaceAdvance: Int32
  /// Whether it has everything from space to ~.
  private(set) var coversAscii = false
  private let blob: OpaquePointer

  /// `file` must outlive the face. Nil when HarfBuzz finds no such face in it.
  init?(file: ByteString, index: UInt32, weight: UInt32) {
    blob = hb_blob_create(
      UnsafeRawPointer(file.start).assumingMemoryBound(to: CChar.self), UInt32(clamping: file.count),
      HB_MEMORY_MODE_READONLY, nil, nil)
    guard index < hb_face_count(blob), let face = hb_face_create(blob, index), hb_face_get_glyph_count(face) > 0
    else {
      hb_blob_destroy(blob)
      return nil
    }
    font = hb_font_create(face)
    hb_face_destroy(face)
    if weight > 0 {
      var variation = hb_variation_t(tag: Face.weightAxis, value: Float(weight))
      hb_font_set_variations(font, &variation, 1)
    }
    unitsPerEm = Double(hb_face_get_upem(hb_font_get_face(font)))
    var extents = hb_font_extents_t()
    hb_font_get_h_extents(font, &extents)
    ascender = Double(extents.ascender)
    descender = -Double(extents.descender)
    var space: hb_codepoint_t = 0
    spaceAdvance = hb_font_get_nominal_glyph(font, 0x20, &space) != 0 ? hb_font_get_glyph_h_advance(font, space) : 0
    coversAscii = (0x20...0x7e).allSatisfy(covers)
  }

  deinit {
    hb_font_destroy(font)
    hb_blob_destroy(blob)
  }

  func covers(_ scalar: UInt32) -> Bool {
    var glyph: hb_codepoint_t = 0
    return hb_font_get_nominal_glyph(font, scalar, &glyph) != 0
  }

  /// `wght`
  private static let weightAxis: hb_tag_t = 0x7767_6874
}
