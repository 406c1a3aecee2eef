/// The keys of the metadata of tables' schemas.
package enum TableMetadata {
  /// The name of the variant, such as `w390`, in heights.arrow.
  package static let variant = "galley.variant"
  /// A checksum of the content of all tables of a variant, which each of them states, so that tables of different runs are recognized.
  package static let run = "galley.run"
}

extension [ArrowMetadataEntry] {
  /// Returns the value of a key, or nil if there is none.
  package func value(of key: String) -> String? { first { $0.key == key }?.value }
}
