import Foundation

/// `galley`, as it was built beside this program.
enum GalleyProgram {
  /// Nil when it was not, which is said.
  static func find(for report: String) -> URL? {
    let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("galley")
    if FileManager.default.isExecutableFile(atPath: program.path) { return program }
    print("\(report): skipped, as galley is not built beside galley-bench")
    return nil
  }
}
