import CHarfBuzz

/// Returns the number of a tag of four letters, such as that of a table or a feature.
func tag(_ letters: String) -> hb_tag_t { hb_tag_from_string(letters, 4) }

/// Calls a function with the bytes of a table of a face. There are none if the face lacks the table.
func withTable<Result>(
  _ name: String, of face: OpaquePointer?, _ body: (UnsafeRawBufferPointer) -> Result
) -> Result {
  let table = hb_face_reference_table(face, tag(name))
  defer { hb_blob_destroy(table) }
  return body(UnsafeRawBufferPointer(ofBlob: table))
}

extension UnsafeRawBufferPointer {
  /// The bytes of a blob of HarfBuzz, which must outlive them.
  init(ofBlob blob: OpaquePointer?) {
    var length: UInt32 = 0
    let start = hb_blob_get_data(blob, &length)
    self.init(start: start, count: start == nil ? 0 : Int(length))
  }

  /// Returns the two bytes at an offset of a table as a number, or 0 outside of the table.
  func number(at offset: Int) -> Int {
    guard offset >= 0, offset + 2 <= count else { return 0 }
    return Int(self[offset]) << 8 | Int(self[offset + 1])
  }
}
