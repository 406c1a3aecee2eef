import Foundation

/// The program `galley` in the directory of this program.
enum GalleyProgram {
  /// Returns the path of `galley`, or prints that a report is skipped and returns nil if it is not built.
  static func find(for report: String) -> URL? {
    let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("galley")
    if FileManager.default.isExecutableFile(atPath: program.path) { return program }
    print("\(report): skipped, because galley is not built beside galley-bench")
    return nil
  }
}
