import Foundation

/// A counter of instructions that uses valgrind's callgrind. The count does not depend on the load of the machine.
struct InstructionCounter {
  /// The cost of a run.
  struct Cost {
    var instructions = 0
    /// The number of calls that allocate memory or count references.
    var memoryCalls = 0

    static func - (a: Cost, b: Cost) -> Cost {
      Cost(instructions: a.instructions - b.instructions, memoryCalls: a.memoryCalls - b.memoryCalls)
    }
  }

  private let valgrind: URL
  /// A copy of this program without debugging information, which valgrind cannot read.
  private let program: URL

  /// Creates a counter, or returns nil if valgrind or binutils are not installed.
  init?() {
    guard let valgrind = Self.find("valgrind"), let objcopy = Self.find("objcopy") else { return nil }
    self.valgrind = valgrind
    program = FileManager.default.temporaryDirectory.appending(path: "galley-bench-\(getpid())")
    guard Command.run(objcopy, ["--strip-debug", CommandLine.arguments[0], program.path]) != nil else { return nil }
  }

  /// Removes the copy of the program.
  func close() { try? FileManager.default.removeItem(at: program) }

  private static func find(_ name: String) -> URL? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
      .map { URL(fileURLWithPath: $0) }
  }

  /// Returns the cost of an element. It is the difference of a long and a short run, so that the start is not counted.
  func cost(of workload: Workload, widths: Int) -> (instructionsPerElement: Double, memoryCalls: Int)? {
    let cells = max(16, 4000 / max(workload.run(cells: 4, widths: 1) / 4, 1) * 4)
    func count(_ cells: Int) -> Cost? { self.count(["--run", workload.name, "\(cells)", "\(widths)"]) }
    guard let short = count(cells), let long = count(cells * 3) else { return nil }
    let elements = workload.run(cells: cells * 3, widths: 1) - workload.run(cells: cells, widths: 1)
    let cost = long - short
    return (Double(cost.instructions) / Double(elements), cost.memoryCalls)
  }

  /// Returns the cost of the calls to a function.
  ///
  /// - Parameter function: A part of the mangled name of the function.
  func cost(ofCallsTo function: String, _ arguments: [String]) -> Cost? {
    count(arguments, ["--toggle-collect=*\(function)*"])
  }

  /// Returns the cost of this program with some arguments.
  private func count(_ arguments: [String], _ options: [String] = []) -> Cost? {
    let profile = FileManager.default.temporaryDirectory.appending(path: "galley-bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: profile) }
    let callgrind = ["--tool=callgrind", "--callgrind-out-file=\(profile.path)", "--compress-strings=no"] + options
    guard Command.run(valgrind, callgrind + [program.path] + arguments, errors: .nullDevice) != nil else { return nil }
    return (try? String(contentsOf: profile, encoding: .utf8)).flatMap(Self.cost)
  }

  /// Parses the output of callgrind. `cfn=` has the name of a called function, the following `calls=` the number of
  /// calls, and `summary:` the number of instructions.
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
