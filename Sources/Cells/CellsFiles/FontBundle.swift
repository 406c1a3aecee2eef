import CFontconfig
import Foundation

/// The fonts in one directory, which come with the program and need not be installed.
final class FontBundle: Sendable {
  /// The fonts in `share/galley/fonts` beside the directory of the program, as in Galley's wheel.
  static let ofProgram = FontBundle(
    directory: URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("../share/galley/fonts").path)

  /// The configuration of fontconfig that has these fonts and no others, or nil if the directory has none. Nothing
  /// changes it after the initialization.
  nonisolated(unsafe) let configuration: OpaquePointer?

  init(directory: String) {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    guard !files.isEmpty, let configuration = FcConfigCreate() else {
      self.configuration = nil
      return
    }
    // The files are added one by one, because fontconfig needs a directory for its cache to add them as a directory.
    for file in files.sorted() { FcConfigAppFontAddFile(configuration, directory + "/" + file) }
    self.configuration = configuration
  }

  deinit { if let configuration { FcConfigDestroy(configuration) } }
}
