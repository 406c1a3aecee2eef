import Foundation

/// A counter of instructions that uses valgrind's callgrind. The count does not depend on the load of the machine.
struct InstructionCounter {
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

  /// Returns the cost of all calls to `countedCall` by this program with some arguments.
  func cost(ofCallsBy arguments: [String]) -> Cost? {
    let profile = FileManager.default.temporaryDirectory.appending(path: "galley-bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: profile) }
    guard run(arguments, "--toggle-collect=\(Self.countedCalls)", profile: profile) else { return nil }
    return (try? String(contentsOf: profile, encoding: .utf8)).flatMap(Self.cost)
  }

  /// Returns the cost of each call to `countedCall` by this program with some arguments, in their order. It includes what
  /// is done between the call before and this one.
  func costs(ofEachCallBy arguments: [String]) -> [Cost]? {
    let directory = FileManager.default.temporaryDirectory.appending(path: "galley-bench-\(UUID().uuidString)")
    guard (try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)) != nil else {
      return nil
    }
    defer { try? FileManager.default.removeItem(at: directory) }
    // Callgrind writes a file after each call, with its number as the extension. It uses one option for a function only.
    guard run(arguments, "--dump-after=\(Self.countedCalls)", profile: directory.appending(path: "profile")),
      let files = try? FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
    else { return nil }
    let numbered = files.compactMap { file in Int(file.pathExtension).map { ($0, file) } }.sorted { $0.0 < $1.0 }
    return numbered.compactMap { (try? String(contentsOf: $0.1, encoding: .utf8)).flatMap(Self.cost) }
  }

  /// The mangled names of `countedCall`. It must have no word of the type's name, because a mangled name has each word
  /// only once.
  private static let countedCalls = "*countedCall*"

  /// Calls a function whose instructions are counted.
  @inline(never)
  static func countedCall(_ body: () throws -> Void) rethrows { try body() }

  /// Runs this program with callgrind, which writes a profile. Returns whether it succeeded.
  private func run(_ arguments: [String], _ option: String, profile: URL) -> Bool {
    let callgrind = ["--tool=callgrind", "--callgrind-out-file=\(profile.path)", "--compress-strings=no", option]
    return Command.run(valgrind, callgrind + [program.path] + arguments, errors: .nullDevice) != nil
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
