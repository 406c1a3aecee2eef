/// The keys of the metadata of tables' schemas.
package enum TableMetadata {
  /// The name of the variant, such as `w390`, in heights.arrow.
  package static let variant = "galley.variant"
  /// The checksum of frames.arrow up to its footer, in all tables that belong to frames, so that tables of different runs are
  /// recognized.
  package static let frames = "galley.frames"
}

extension [ArrowMetadataEntry] {
  /// Returns the value of a key, or nil if there is none.
  package func value(of key: String) -> String? { first { $0.key == key }?.value }
}
