import CFontFiles
import Foundation

/// The fonts in one directory, which come with the program and need not be installed.
final class FontBundle {
  private let directory: String
  private lazy var configuration = Configuration(directory)

  init(directory: String) { self.directory = directory }

  /// The fonts in `share/galley/fonts` beside the directory of the program, as in Galley's wheel.
  static var ofProgram: FontBundle { FontBundle(directory: directoryOfProgram) }

  static var directoryOfProgram: String {
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return program.deletingLastPathComponent().appendingPathComponent("../share/galley/fonts").path
  }

  /// Returns the result of a search in these fonts and no others, or nil if there are none. The files are read at the
  /// first search.
  func search<Result>(_ body: (OpaquePointer) -> Result?) -> Result? {
    withExtendedLifetime(configuration) { configuration?.pointer.flatMap(body) }
  }

  /// A configuration of fontconfig that has the fonts of a directory.
  private final class Configuration {
    let pointer: OpaquePointer?

    /// Returns nil if the directory has no files.
    init?(_ directory: String) {
      let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
      guard !files.isEmpty else { return nil }
      pointer = FcConfigCreate()
      // The files are added one by one, because fontconfig needs a directory for its cache to add their directory.
      for file in files.sorted() { FcConfigAppFontAddFile(pointer, directory + "/" + file) }
    }

    deinit { if let pointer { FcConfigDestroy(pointer) } }
  }
}
