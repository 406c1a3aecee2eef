import Foundation

/// What a user would use instead, on photo posts: scripts in Python, each for a package that may not be installed.
enum Comparisons {
  private static let scripts = ["chromium", "stretchable_flex", "uharfbuzz_texts"]
  /// More take long.
  private static let rows = 3000

  /// A line that a script prints.
  private struct Line: Decodable {
    var what: String?
    var rowsPerSecond: Double?
    var skipped: String?
  }

  static func print(_ workload: StageWorkload) throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("galley-rows-\(getpid()).jsonl")
    try Data(workload.rows).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    Swift.print(
      "\n\(rows) \(workload.name) elsewhere                                                                     rows/s")
    for script in scripts {
      guard let path = Bundle.module.path(forResource: script, ofType: "py", inDirectory: "Comparisons") else {
        continue
      }
      for line in run(["python3", path, file.path, "\(rows)"]) {
        if let what = line.what, let rate = line.rowsPerSecond {
          Swift.print(what.padding(toLength: 92, withPad: " ", startingAt: 0), String(format: "%7.0f", rate))
        } else if let reason = line.skipped {
          Swift.print("skipped:", reason)
        }
      }
    }
  }

  private static func run(_ command: [String]) -> [Line] {
    // Leaves nothing behind beside the scripts.
    let environment = ["PYTHONDONTWRITEBYTECODE": "1"]
    guard let text = Command.run(URL(fileURLWithPath: "/usr/bin/env"), command, environment: environment) else {
      return [Line(skipped: "\(command[1]) failed")]
    }
    return text.split(separator: 0x0a).compactMap { try? JSONDecoder().decode(Line.self, from: $0) }
  }
}
