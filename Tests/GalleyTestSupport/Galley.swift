import Foundation
import Glibc

/// Functions that run the program `galley` as a user does.
public enum Galley {
  /// The exit code and the output of a process.
  public struct Outcome: Sendable {
    public let code: Int32
    public let outputBytes: Data
    public let errors: String

    public var output: String { String(decoding: outputBytes, as: UTF8.self) }
  }

  /// The directory of the tests, which has the other programs of the same build.
  private static let directory =
    (Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
    ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent()

  /// The path of the program: that of the environment variable `TESTED_PROGRAM`, or the one that was built with the tests.
  public static let program =
    ProcessInfo.processInfo.environment["TESTED_PROGRAM"].map { URL(fileURLWithPath: $0) }
    ?? directory.appendingPathComponent("galley")

  /// The path of the worker program with cell classes in Swift.
  public static let customWorker = directory.appendingPathComponent("custom-worker").path

  /// Starts a program with `input` as its standard input.
  public static func start(
    _ arguments: [String], executable: String = program.path, input: String = "", environment: [String: String] = [:]
  ) throws -> Running {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    // Tests start coordinators, workers and clients at the same time.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["GALLEY_WAIT": "1"]) { $1 }.merging(environment) { $1 }
    let scratch = Scratch()
    let files = ["in", "out", "err"].map { scratch.path($0) }
    try Data(input.utf8).write(to: URL(fileURLWithPath: files[0]))
    for file in files[1...] { _ = FileManager.default.createFile(atPath: file, contents: nil) }
    let handles = [FileHandle(forReadingAtPath: files[0])] + files[1...].map { FileHandle(forWritingAtPath: $0) }
    (process.standardInput, process.standardOutput, process.standardError) = (handles[0], handles[1], handles[2])
    // Objects of processes may live as long as the tests. With more than a thousand open files, `run` of Foundation reads behind
    // the entries of /proc/self/fd, which can end the tests.
    defer { for handle in handles { try? handle?.close() } }
    try process.run()
    return Running(process: process, scratch: scratch, files: files)
  }

  /// Runs the program until it ends.
  @discardableResult
  public static func run(
    _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) throws -> Outcome {
    try start(arguments, input: input, environment: environment).wait()
  }

  /// A running process.
  public final class Running {
    public let process: Process
    private let scratch: Scratch
    private let files: [String]

    init(process: Process, scratch: Scratch, files: [String]) {
      self.process = process
      self.scratch = scratch
      self.files = files
    }

    /// The standard output of the process up to now.
    public var outputSoFar: String { (try? String(contentsOfFile: files[1], encoding: .utf8)) ?? "" }

    /// The standard error of the process up to now.
    public var errorsSoFar: String { (try? String(contentsOfFile: files[2], encoding: .utf8)) ?? "" }

    /// Waits until the process ends.
    public func wait() -> Outcome {
      let code = exitCode()
      let output = FileManager.default.contents(atPath: files[1]) ?? Data()
      return Outcome(code: code, outputBytes: output, errors: errorsSoFar)
    }

    /// Waits for the exit code with `waitid`, because `waitUntilExit` of Foundation occasionally misses the end of a
    /// process and never returns.
    private func exitCode() -> Int32 {
      while true {
        var status = siginfo_t()
        let result = waitid(P_PID, id_t(process.processIdentifier), &status, WEXITED | WNOHANG | WNOWAIT)
        if result == 0 && status._sifields._sigchld.si_pid != 0 { return status._sifields._sigchld.si_status }
        // Foundation has already reaped the process.
        if result < 0 && !process.isRunning { return process.terminationStatus }
        usleep(2000)
      }
    }

    /// The child processes.
    public var children: [pid_t] {
      let path = "/proc/\(process.processIdentifier)/task"
      let threads = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      return threads.flatMap { thread in
        ((try? String(contentsOfFile: "\(path)/\(thread)/children", encoding: .utf8)) ?? "")
          .split(separator: " ").compactMap { pid_t($0) }
      }
    }
  }
}

/// A temporary directory that is removed at the end of the test.
public final class Scratch {
  public let directory: String

  public init() {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("galley-test-\(UUID().uuidString)").path
    try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  /// Returns the path of a file in the directory.
  public func path(_ name: String) -> String { "\(directory)/\(name)" }

  /// Writes a file and returns its path.
  public func file(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  /// Returns the contents of all Arrow files below a directory, by relative path.
  public func tables(_ name: String) throws -> [String: Data] {
    var tables: [String: Data] = [:]
    for file in FileManager.default.enumerator(atPath: path(name))?.compactMap({ $0 as? String }) ?? []
    where file.hasSuffix(".arrow") {
      tables[file] = try Data(contentsOf: URL(fileURLWithPath: "\(path(name))/\(file)"))
    }
    return tables
  }
}
