import Foundation

/// What is read of the manifest.json of a run of any version. A file without the properties that are not optional is no manifest of
/// Galley.
package struct RunManifest: Decodable {
  package struct Input: Decodable { package let name: String }
  package struct Cells: Decodable { package let hash: String }

  package struct Variant: Decodable {
    package let name: String
    let width: Double
    /// The number of bad rows.
    package let errors: Int?
  }

  let format: Int
  let version: String
  package let input: Input?
  package let cells: Cells
  package let variants: [Variant]

  /// Returns nil for bytes that are not a manifest of Galley.
  package init?(_ bytes: some Sequence<UInt8>) {
    guard let manifest = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else { return nil }
    self = manifest
  }
}
