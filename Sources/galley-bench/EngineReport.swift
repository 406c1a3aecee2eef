import Foundation

/// Time and instructions an element takes in the engine, for the first width of a cell and for a further one.
enum EngineReport {
  private static let widths = 5

  static func print() {
    let counts = InstructionCounter()
    Swift.print("engine, an element                     first width            further width")
    Swift.print("(leaves measured beforehand)             ns  instructions      ns  instructions")
    for workload in EngineWorkloads.all {
      let first = time(workload, widths: 1)
      let all = time(workload, widths: widths)
      let name = workload.name.padding(toLength: 34, withPad: " ", startingAt: 0)
      var columns = [first, nil, (all - first) / Double(widths - 1), nil]
      if let count = counts?.instructionsPerElement(of: workload, widths: 1),
        let countOfAll = counts?.instructionsPerElement(of: workload, widths: widths)
      {
        columns[1] = count
        columns[3] = (countOfAll - count) / Double(widths - 1)
      }
      let cells = zip(columns, [8, 13, 8, 13]).map { value, width in
        let text = value.map { String(format: "%.0f", $0) } ?? "-"
        return String(repeating: " ", count: max(0, width - text.count)) + text
      }
      Swift.print(name, cells.joined())
    }
    if counts == nil { Swift.print("Instructions are counted where valgrind is installed.") }
  }

  /// Nanoseconds an element at so many widths; the best of five runs.
  private static func time(_ workload: Workload, widths: Int) -> Double {
    let cells = max(10, 200_000 / max(workload.run(cells: 4, widths: 1) / 4, 1))
    return (0..<5).map { _ in
      let begin = ContinuousClock.now
      let elements = workload.run(cells: cells, widths: widths)
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
  func instructionsPerElement(of workload: Workload, widths: Int) -> Double? {
    let cells = max(16, 4000 / max(workload.run(cells: 4, widths: 1) / 4, 1) * 4)
    guard let short = count(workload, cells, widths), let long = count(workload, cells * 3, widths) else { return nil }
    let elements = workload.run(cells: cells * 3, widths: 1) - workload.run(cells: cells, widths: 1)
    return Double(long - short) / Double(elements)
  }

  private func count(_ workload: Workload, _ cells: Int, _ widths: Int) -> Int? {
    let process = Process()
    let errors = Pipe()
    process.executableURL = valgrind
    process.arguments = [
      "--tool=callgrind", "--callgrind-out-file=/dev/null", CommandLine.arguments[0], "--run", workload.name,
      "\(cells)", "\(widths)",
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
