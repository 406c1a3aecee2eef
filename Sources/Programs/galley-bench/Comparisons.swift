import Foundation

/// The report of other programs that lay out photo posts. Each is a Python script for a package that is optional.
enum Comparisons {
  private static let scripts = ["chromium", "stretchable_flex", "uharfbuzz_texts"]
  /// The limit of rows, because the other programs are slow.
  private static let rows = 3000

  /// A line of the output of a script.
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
      "\n\(rows) \(workload.name) in other programs                                                             rows/s")
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
    // Python writes no compiled files beside the scripts.
    let environment = ["PYTHONDONTWRITEBYTECODE": "1"]
    guard let text = Command.run(URL(fileURLWithPath: "/usr/bin/env"), command, environment: environment) else {
      return [Line(skipped: "\(command[1]) failed")]
    }
    return text.split(separator: 0x0a).compactMap { try? JSONDecoder().decode(Line.self, from: $0) }
  }
}
