import Foundation

/// The directory of one variant's tables, within the directory of a run.
public struct VariantDirectory {
  /// The version of the format that this version of Galley reads and writes, which is stated in manifest.json.
  package static let format = 1

  /// The path of the directory, such as `tables/w390`.
  public let path: String

  public init(_ path: String) { self.path = path }

  /// The number of times that a directory is read until it is not replaced meanwhile.
  private static let maxAttempts = 10

  /// Returns what a function reads in the directory of a variant or of a run. The files of a directory that is replaced meanwhile may
  /// be of two runs: then they are read again.
  package func reading<Value>(_ read: () throws(TableError) -> Value) throws(TableError) -> Value {
    for _ in 1..<Self.maxAttempts {
      let before = identity
      let value = Result { () throws(TableError) in try read() }
      if identity == before { return try value.get() }
    }
    return try read()
  }

  /// What changes when another directory replaces this one: its number, and the time at which it was renamed. Nil if it does
  /// not exist.
  private var identity: [Int]? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let time = status.st_ctimespec
    #else
      let time = status.st_ctim
    #endif
    return [Int(truncatingIfNeeded: status.st_ino), Int(time.tv_sec), Int(time.tv_nsec)]
  }

  /// Throws a `TableError` with the way out if the directory has no tables, or has tables of another format.
  public func check() throws(TableError) {
    let names = try? FileManager.default.contentsOfDirectory(atPath: path)
    guard let names else {
      var isDirectory: ObjCBool = false
      guard !FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
        throw TableError(
          path,
          isDirectory.boolValue
            ? "cannot be read; permit to list the directory"
            : "is not a directory; give the directory of a variant that galley layout has written, such as tables/w390")
      }
      let parent = self.parent
      let variants = Self.variants(in: parent)
      throw TableError(
        path,
        "does not exist"
          + (variants.isEmpty
            ? "; give the directory of a variant that galley layout has written, such as tables/w390"
            : "; \(parent) has the variants \(Self.list(variants))"))
    }
    guard names.contains("heights.arrow") else {
      let variants = Self.variants(in: path)
      throw TableError(
        path,
        "has no tables"
          + (variants.isEmpty
            ? "; give the directory of a variant that galley layout has written, such as tables/w390"
            : " of its own; give one of its variants \(Self.list(variants)), such as \(path)/\(variants[0])"))
    }
    try checkFormat()
  }

  /// The properties of a manifest that state the format.
  private struct Manifest: Decodable {
    let format: Int
    let version: String
  }

  /// Checks the format that the manifest states. Tables may be copied without their manifest, and beside that of another
  /// program.
  private func checkFormat() throws(TableError) {
    let manifestPath = parent + "/manifest.json"
    guard let bytes = FileManager.default.contents(atPath: manifestPath) else { return }
    guard (try? JSONSerialization.jsonObject(with: bytes)) != nil else {
      throw TableError.damaged(manifestPath, "is not a manifest of Galley")
    }
    try Self.checkFormat(ofManifest: bytes, in: path)
  }

  /// Throws a `TableError` if the manifest of a run states another format. A manifest that states none is not an error.
  package static func checkFormat(ofManifest bytes: Data, in run: String) throws(TableError) {
    let manifest = try? JSONDecoder().decode(Manifest.self, from: bytes)
    guard let manifest, manifest.format != format else { return }
    throw TableError(
      run,
      "was written by Galley \(manifest.version) in format \(manifest.format), and this version reads format "
        + "\(format); use the other version, or lay out the rows again")
  }

  /// Returns the names of the directories that have tables, in their order.
  package static func variants(in path: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { FileManager.default.fileExists(atPath: "\(path)/\($0)/heights.arrow") }.sorted()
  }

  static func list(_ names: [String]) -> String {
    names.count > 8 ? names.prefix(8).joined(separator: ", ") + ", …" : names.joined(separator: ", ")
  }

  /// Whether another directory is in the same one.
  func isBeside(_ other: String) -> Bool { parent == VariantDirectory(other).parent }

  /// Where the directory is when symbolic links are followed. The path may be relative, and may be `.`.
  private var resolved: URL { URL(fileURLWithPath: path).resolvingSymlinksInPath() }

  /// The name of the directory, such as `w390`. A link to it may have another name.
  public var name: String { resolved.lastPathComponent }

  /// The directory of the run, which has this directory and the manifest. A link to this directory may be in another one.
  package var parent: String {
    let parent = resolved.deletingLastPathComponent().path
    let working = FileManager.default.currentDirectoryPath
    return parent.hasPrefix(working + "/") ? String(parent.dropFirst(working.count + 1)) : parent
  }
}
