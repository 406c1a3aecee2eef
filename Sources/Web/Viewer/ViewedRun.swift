import BatchLayout
import Foundation
import Glibc
import LayoutEngine
import ListTables

/// The tables of a run that are shown: those of its variants in a directory that `galley layout` has written.
package struct ViewedRun: Sendable {
  /// A variant with its tables.
  package struct Variant: Sendable {
    package let name: String
    /// The numbers of the variant; nil if its directory has a name of its own, which states none.
    package let numbers: LayoutEngine.Variant?
    let width: Double
    let tables: MappedTables
    let badRows: Int
  }

  /// The name of the input, or that of the directory if no manifest states it.
  let title: String
  /// The variants in the order of their widths.
  package let variants: [Variant]
  package let rowCount: Int
  /// The hash of the cells file that the manifest states.
  package let cellsHash: String?
  /// The hashes of the rows; nil if there are none in the directory.
  let hashes: RowHashes?
  /// Sentences about what is in the directory and is not shown.
  package private(set) var remarks: [String]

  /// Opens the tables of a directory.
  ///
  /// - Parameter path: The directory of a run, or that of one variant.
  /// - Throws: `TableError` if there are no tables, or if they are damaged or not of the same run.
  package init(_ path: String) throws(TableError) {
    self = try VariantDirectory(path).reading { () throws(TableError) in try ViewedRun(opening: path) }
  }

  private init(opening path: String) throws(TableError) {
    let isVariant = FileManager.default.fileExists(atPath: path + "/heights.arrow")
    let url = URL(fileURLWithPath: path).standardizedFileURL
    let run = isVariant ? url.deletingLastPathComponent().path : path
    let found = isVariant ? [url.lastPathComponent] : VariantDirectory.variants(in: path)
    // The error states what a directory without tables has instead.
    if found.isEmpty { try VariantDirectory(path).check() }
    let names = found.filter { Self.liesInside(run, variant: $0) }
    remarks = found.filter { !names.contains($0) }.map {
      "\(run)/\($0): is not shown, because a symbolic link leads from it out of the directory; copy the tables instead"
    }
    let manifest = FileManager.default.contents(atPath: run + "/manifest.json").flatMap { RunManifest($0) }
    var variants: [Variant] = []
    for name in names { variants.append(try Self.variant(name, in: run, manifest)) }
    guard let first = variants.first else {
      throw TableError(path, "has no tables that can be shown" + remarks.map { ": \($0)" }.joined())
    }
    if let other = variants.first(where: { $0.tables.heights.rowCount != first.tables.heights.rowCount }) {
      throw TableError(
        path,
        "\(first.name) has \(first.tables.heights.rowCount) rows and \(other.name) has \(other.tables.heights.rowCount): "
          + "they are of different runs; lay out the rows again")
    }
    self.variants = variants.sorted { Self.order($0) < Self.order($1) }
    rowCount = first.tables.heights.rowCount
    title = manifest?.input?.name ?? URL(fileURLWithPath: run).standardizedFileURL.lastPathComponent
    cellsHash = manifest?.cells.hash
    let hashes = try? RowHashes(run + "/hashes.arrow")
    self.hashes = hashes?.count == rowCount ? hashes : nil
    for variant in variants where variant.tables.isArranged {
      remarks.append("\(variant.name): is shown in one column, and not as galley arrange has arranged it")
    }
    let withoutFrames = variants.filter { !$0.tables.hasFrames }.map(\.name)
    if !withoutFrames.isEmpty {
      remarks.append(
        "\(withoutFrames.joined(separator: ", ")): the cells are empty, because the tables were laid out with --columns "
          + "heights, without frames; lay out the rows without this option")
    }
  }

  package func variant(named name: String) -> Variant? { variants.first { $0.name == name } }

  private static func variant(_ name: String, in run: String, _ manifest: RunManifest?) throws(TableError) -> Variant {
    let path = "\(run)/\(name)"
    let tables = try MappedTables(path)
    let heights = tables.heights
    let numbers = LayoutEngine.Variant(name: name)
    let badRows = manifest?.variants.first { $0.name == name }?.errors
    return Variant(
      name: name, numbers: numbers, width: numbers?.width ?? VariantDirectory(path).width(heights), tables: tables,
      badRows: badRows ?? (0..<heights.rowCount).count { heights.isBad($0) })
  }

  /// Returns whether the tables of a variant lie in the directory of the run when symbolic links are followed.
  private static func liesInside(_ run: String, variant: String) -> Bool {
    guard let root = resolved(run) else { return false }
    return ["heights.arrow", "frames.arrow", "resources.arrow"].allSatisfy { file in
      // A file that is missing is an error of its own.
      guard let path = resolved("\(run)/\(variant)/\(file)") else { return true }
      return path.hasPrefix(root == "/" ? root : root + "/")
    }
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  private static func order(_ variant: Variant) -> (Double, Double, Double, String) {
    (variant.width, variant.numbers?.textScale ?? 1, variant.numbers?.scale ?? 2, variant.name)
  }
}

extension LayoutEngine.Variant {
  /// Returns the variant that a directory is named for, such as `w390-t1.35-tAX1-rtl@3x`; nil for another name.
  init?(name: String) {
    let form = #/(?:([a-zA-Z]+)-)?w([0-9.]+)(?:-t([0-9.]+))?(?:-t([a-zA-Z][a-zA-Z0-9]*))?(-rtl)?(?:@([0-9.]+)x)?/#
    guard let parts = name.wholeMatch(of: form), let width = Double(parts.2),
      let platform = parts.1.map({ Platform(name: $0) }) ?? .texture
    else { return nil }
    let textScale = parts.3.map { Double($0) ?? 0 } ?? 1
    let scale = parts.6.map { Double($0) ?? 0 } ?? 2
    let textSize = parts.4.flatMap { TextSize(name: $0) }
    self.init(
      width: width, textScale: textScale, scale: scale, platform: platform, textSize: textSize,
      layoutDirection: parts.5 == nil ? .ltr : .rtl)
    guard isValid, self.name == name else { return nil }
  }
}
