import CHarfBuzz

extension FontBook.Source {
  /// The full name of the face in its file, such as `Inter Bold`, or nil if the file has none.
  public var fullName: String? {
    var count = UInt32(Self.maxNameBytes)
    let name = [CChar](unsafeUninitializedCapacity: Self.maxNameBytes) { buffer, written in
      _ = withFace {
        hb_ot_name_get_utf8($0, hb_ot_name_id_t(HB_OT_NAME_ID_FULL_NAME), nil, &count, buffer.baseAddress)
      }
      written = Int(count)
    }
    return name.isEmpty ? nil : String(decoding: name.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Calls a function with the face of the file, which is empty if HarfBuzz finds none.
  func withFace<Result>(_ body: (OpaquePointer?) -> Result) -> Result {
    let blob = hb_blob_create(
      UnsafeRawPointer(file.start).assumingMemoryBound(to: CChar.self), UInt32(clamping: file.count),
      HB_MEMORY_MODE_READONLY, nil, nil)
    defer { hb_blob_destroy(blob) }
    let face = index < hb_face_count(blob) ? hb_face_create(blob, index) : hb_face_get_empty()
    defer { hb_face_destroy(face) }
    return body(face)
  }

  /// The room for a name, with its terminator. A longer name is cut.
  private static let maxNameBytes = 128
}
