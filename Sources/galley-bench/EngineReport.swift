import Foundation

/// Time and instructions an element takes in the engine.
enum EngineReport {
  static func print() {
    let counts = InstructionCounter()
    Swift.print("engine, leaves measured beforehand      ns an element   instructions an element")
    for workload in EngineWorkloads.all {
      let nanoseconds = time(workload)
      let instructions = counts?.instructionsPerElement(of: workload).map { String(format: "%.0f", $0) } ?? "-"
      let name = workload.name.padding(toLength: 38, withPad: " ", startingAt: 0)
      Swift.print(name, String(format: "%12.1f", nanoseconds), "            ", instructions)
    }
    if counts == nil { Swift.print("Instructions are counted where valgrind is installed.") }
  }

  /// The best of five runs.
  private static func time(_ workload: Workload) -> Double {
    let cells = max(10, 200_000 / max(workload.run(cells: 4) / 4, 1))
    return (0..<5).map { _ in
      let begin = ContinuousClock.now
      let elements = workload.run(cells: cells)
      let elapsed = begin.duration(to: .now).components
      return (Double(elapsed.seconds) * 1e9 + Double(elapsed.attoseconds) * 1e-9) / Double(elements)
    }.min() ?? 0
  }
}

/// Counts instructions with valgrind's callgrind: the same for the same work, whatever else the machine does.
struct InstructionCounter {
  private let valgrind: URL

  init?() {
    let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/valgrind" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    guard let path else { return nil }
    valgrind = URL(fileURLWithPath: path)
  }

  /// The difference between a long and a short run, so that starting up does not count.
  func instructionsPerElement(of workload: Workload) -> Double? {
    let cells = max(16, 4000 / max(workload.run(cells: 4) / 4, 1) * 4)
    guard let short = count(workload, cells), let long = count(workload, cells * 3) else { return nil }
    return Double(long - short) / Double(workload.run(cells: cells * 3) - workload.run(cells: cells))
  }

  private func count(_ workload: Workload, _ cells: Int) -> Int? {
    let process = Process()
    let errors = Pipe()
    process.executableURL = valgrind
    process.arguments = [
      "--tool=callgrind", "--callgrind-out-file=/dev/null", CommandLine.arguments[0], "--run", workload.name,
      "\(cells)",
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    guard (try? process.run()) != nil else { return nil }
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let line = text.split(separator: "\n").first { $0.contains("Collected :") }
    return line.flatMap { $0.split(separator: " ").last }.flatMap { Int($0) }
  }
}
