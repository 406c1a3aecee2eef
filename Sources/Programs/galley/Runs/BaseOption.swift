import ArgumentParser
import CellTemplates
import Foundation
import Hashing
import IncrementalRuns
import ListTables
import PoolClient
import PoolProtocol

/// The option that states an earlier run.
struct BaseOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The directory of an earlier run. Rows that are the same there are taken from its tables.",
      discussion: "The tables are those of a run without it, byte for byte. It may be the directory of --output."),
    completion: .directory)
  var base: String?

  /// - Throws: `ValidationError` where the results are a stream.
  func check(_ tables: TableOptions) throws {
    guard base != nil, tables.isStream else { return }
    throw ValidationError("--base and --output - exclude each other; give a directory to --output")
  }

  /// Returns the tables of the earlier run, or nil if there is none or it cannot be used. Writes the reason why it
  /// cannot be used to standard error.
  ///
  /// - Throws: `RunFailure` for a directory that is not of a run.
  func tables(for request: BatchRequest, _ options: TableOptions) throws -> BaseTables? {
    guard let base else { return nil }
    let manifest = base + "/manifest.json"
    guard let bytes = FileManager.default.contents(atPath: manifest) else {
      if access(manifest, F_OK) == 0 || errno != ENOENT {
        let reason = access(manifest, R_OK) == 0 ? "it is not a file" : String(cString: strerror(errno))
        throw RunFailure(message: "\(manifest): cannot be read: \(reason)")
      }
      if FileManager.default.fileExists(atPath: base + "/heights.arrow") {
        let run = URL(fileURLWithPath: base).deletingLastPathComponent().relativePath
        throw RunFailure(message: "\(base): is the directory of one variant; give that of the run, \(run)")
      }
      throw RunFailure(
        message: "\(base): has no manifest.json; give the directory that galley layout, submit or fetch has written")
    }
    do throws(UnusableBase) {
      return try Self.open(base, bytes, request, imageScale: options.imageScale)
    } catch {
      Messages.warning("--base \(base) is not used, and all rows are laid out: \(error.reason)")
      return nil
    }
  }

  /// The reason why the tables of an earlier run cannot be used.
  private struct UnusableBase: Error {
    let reason: String
  }

  private static func open(
    _ base: String, _ manifest: Data, _ request: BatchRequest, imageScale: Double?
  ) throws(UnusableBase) -> BaseTables {
    guard let manifest = try? JSONDecoder().decode(Manifest.self, from: manifest), let hashes = manifest.hashes,
      let hashesChecksum = Manifest.Checksums.number(hashes)
    else {
      throw UnusableBase(reason: "its manifest.json is damaged, or of a version that kept no hashes of rows")
    }
    guard manifest.version == Version.current else {
      throw UnusableBase(reason: "Galley \(manifest.version) wrote it, and this is \(Version.current)")
    }
    guard manifest.cells.hash == "sha256:" + hexadecimal(request.programHash) else {
      throw UnusableBase(reason: "its cells file or fonts were others")
    }
    var variants: [(name: String, checksums: [String: UInt64])] = []
    for name in request.variants.map(\.name) {
      guard let variant = manifest.variants.first(where: { $0.name == name }) else {
        throw UnusableBase(
          reason: "it has no variant \(name), only \(Manifest.list(manifest.variants.map(\.name)))")
      }
      guard variant.imageScale == imageScale else {
        throw UnusableBase(reason: "its images have another scale; give both runs the same --image-scale")
      }
      let texts = variant.checksums ?? [:]
      let checksums = texts.compactMapValues(Manifest.Checksums.number)
      guard !checksums.isEmpty, checksums.count == texts.count else {
        throw UnusableBase(reason: "its manifest.json has no checksums of \(name)")
      }
      variants.append((name, checksums))
    }
    do throws(TableError) {
      return try BaseTables(
        base, variants: variants, hashesChecksum: hashesChecksum, types: ElementType.names,
        hasLines: request.variants.contains(where: \.hasLines))
    } catch {
      throw UnusableBase(reason: error.description)
    }
  }
}
