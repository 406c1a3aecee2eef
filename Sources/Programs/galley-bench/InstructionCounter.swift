import Foundation

/// Counts instructions with valgrind's callgrind: the same for the same work, whatever else the machine does.
struct InstructionCounter {
  /// What a run cost.
  struct Cost {
    var instructions = 0
    /// Calls that allocate or count references.
    var memoryCalls = 0

    static func - (a: Cost, b: Cost) -> Cost {
      Cost(instructions: a.instructions - b.instructions, memoryCalls: a.memoryCalls - b.memoryCalls)
    }
  }

  private let valgrind: URL
  /// This program without debugging information, at which valgrind gives up.
  private let program: URL

  /// Nil where valgrind or binutils are not installed.
  init?() {
    guard let valgrind = Self.find("valgrind"), let objcopy = Self.find("objcopy") else { return nil }
    self.valgrind = valgrind
    program = FileManager.default.temporaryDirectory.appending(path: "galley-bench-\(getpid())")
    guard Command.run(objcopy, ["--strip-debug", CommandLine.arguments[0], program.path]) != nil else { return nil }
  }

  /// Removes what counting left behind.
  func close() { try? FileManager.default.removeItem(at: program) }

  private static func find(_ name: String) -> URL? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
      .map { URL(fileURLWithPath: $0) }
  }

  /// What an element costs: the difference between a long and a short run, so that starting up does not count.
  func cost(of workload: Workload, widths: Int) -> (instructionsPerElement: Double, memoryCalls: Int)? {
    let cells = max(16, 4000 / max(workload.run(cells: 4, widths: 1) / 4, 1) * 4)
    func count(_ cells: Int) -> Cost? { self.count(["--run", workload.name, "\(cells)", "\(widths)"]) }
    guard let short = count(cells), let long = count(cells * 3) else { return nil }
    let elements = workload.run(cells: cells * 3, widths: 1) - workload.run(cells: cells, widths: 1)
    let cost = long - short
    return (Double(cost.instructions) / Double(elements), cost.memoryCalls)
  }

  /// What the calls of a function cost.
  ///
  /// - Parameter function: a part of its name, as the compiler writes it.
  func cost(ofCallsTo function: String, _ arguments: [String]) -> Cost? {
    count(arguments, ["--toggle-collect=*\(function)*"])
  }

  /// What this program costs with some arguments.
  private func count(_ arguments: [String], _ options: [String] = []) -> Cost? {
    let profile = FileManager.default.temporaryDirectory.appending(path: "galley-bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: profile) }
    let callgrind = ["--tool=callgrind", "--callgrind-out-file=\(profile.path)", "--compress-strings=no"] + options
    guard Command.run(valgrind, callgrind + [program.path] + arguments, errors: .nullDevice) != nil else { return nil }
    return (try? String(contentsOf: profile, encoding: .utf8)).flatMap(Self.cost)
  }

  /// Reads callgrind's output: `cfn=` names a function that is called, the `calls=` after it how often, `summary:` how
  /// many instructions there were.
  private static func cost(inProfile text: String) -> Cost? {
    var cost = Cost()
    var countsCalls = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("cfn=") {
        countsCalls = isMemoryCall(line.dropFirst("cfn=".count))
      } else if line.hasPrefix("calls="), countsCalls {
        cost.memoryCalls += Int(line.dropFirst("calls=".count).prefix { $0 != " " }) ?? 0
      } else if line.hasPrefix("summary:") {
        cost.instructions = Int(line.dropFirst("summary:".count).drop { $0 == " " }) ?? 0
      }
    }
    return cost.instructions > 0 ? cost : nil
  }

  private static func isMemoryCall(_ function: Substring) -> Bool {
    ["malloc", "calloc", "realloc", "posix_memalign", "free"].contains { function == $0 }
      || ["swift_retain", "swift_release", "swift_bridgeObjectRetain", "swift_bridgeObjectRelease", "swift_alloc"]
        .contains { function.hasPrefix($0) }
  }
}
