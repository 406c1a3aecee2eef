import Foundation
import LayoutTables
import ListTables

/// The directories of two runs that are compared.
struct DiffedRuns {
  let old, new: String
  /// The names of the variants, which both runs have.
  let variants: [String]

  /// - Throws: `TableError` for a directory that is not that of a run, and for runs of other variants.
  init(old: String, new: String) throws {
    self.old = OutputDirectory.withoutTrailingSlash(old)
    self.new = OutputDirectory.withoutTrailingSlash(new)
    let oldVariants = try Self.variants(of: self.old)
    variants = try Self.variants(of: self.new)
    let removed = oldVariants.filter { !variants.contains($0) }
    let added = variants.filter { !oldVariants.contains($0) }
    guard removed.isEmpty && added.isEmpty else {
      let differences = [(self.old, removed, self.new), (self.new, added, self.old)].filter { !$0.1.isEmpty }
        .map { "\($0) has \(Manifest.list($1)), which \($2) lacks" }
      throw RunFailure(
        message: differences.joined(separator: ", and ")
          + "; only the same variants can be compared: lay out both with the same --width, --text-scale and --scale")
    }
  }

  /// Returns the difference between the tables of a variant.
  func diff(of variant: String) throws(TableError) -> ListDiff {
    try ListDiff(from: MappedTables("\(old)/\(variant)"), to: MappedTables("\(new)/\(variant)"))
  }

  /// Returns the names of the variants that the manifest of a run lists.
  private static func variants(of run: String) throws(TableError) -> [String] {
    let manager = FileManager.default
    guard manager.fileExists(atPath: run) else {
      throw TableError(run, "does not exist; give the directory of a run, which galley layout --output has written")
    }
    if manager.fileExists(atPath: run + "/heights.arrow") {
      let parent = URL(fileURLWithPath: run).deletingLastPathComponent().relativePath
      throw TableError(run, "is the directory of one variant; give that of the run, \(parent)")
    }
    guard let manifest = manager.contents(atPath: run + "/manifest.json") else {
      throw TableError(
        run,
        "has no manifest.json; give the directory of a run, which galley layout --output has written, and copy all of "
          + "its files")
    }
    try VariantDirectory.checkFormat(ofManifest: manifest, in: run)
    // Names become paths, which must not lead to other directories.
    guard let variants = RunManifest(manifest)?.variants.map(\.name), !variants.contains(where: { $0.contains("/") })
    else {
      throw TableError(
        run + "/manifest.json",
        "is not a manifest of Galley, or was copied only in part: copy it again, or lay out the rows again")
    }
    return variants
  }
}
