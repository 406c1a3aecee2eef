import Foundation

/// The report of the time and instructions per element in the layout engine, for the first width of a cell and for
/// further widths.
enum EngineReport {
  private static let widths = 5

  /// Checks the goals of the engine by counts, which do not depend on the load of the machine. Returns whether all are
  /// met.
  ///
  /// A photo cell takes at most 400 instructions per element for the first width and 250 for a further one, chains of
  /// 64 levels at most 1.5 times those of 8, a stack of 10,000 at most 1.3 times one of 10, and no warm pass allocates
  /// or counts a reference.
  static func meetsGoals() -> Bool {
    guard let counter = InstructionCounter() else {
      Swift.print("valgrind or binutils are not installed: apt-get install valgrind binutils")
      return false
    }
    defer { counter.close() }
    var met = true
    func expect(_ name: String, _ value: Double, atMost limit: Double) {
      Swift.print(value <= limit ? "ok    " : "MISSED", name, String(format: "%.2f (at most %.2f)", value, limit))
      if value > limit { met = false }
    }
    var first: [String: Double] = [:]
    for workload in EngineWorkloads.all {
      guard let one = counter.cost(of: workload, widths: 1) else {
        Swift.print("valgrind failed to count", workload.name)
        return false
      }
      first[workload.name] = one.instructionsPerElement
      expect("\(workload.name): allocations and reference counts", Double(one.memoryCalls), atMost: 0)
      if workload.name == EngineWorkloads.photo.name, let all = counter.cost(of: workload, widths: widths) {
        let further = (all.instructionsPerElement - one.instructionsPerElement) / Double(widths - 1)
        expect("\(workload.name): instructions per element, first width", one.instructionsPerElement, atMost: 400)
        expect("\(workload.name): instructions per element, further width", further, atMost: 250)
        expect("\(workload.name): allocations and reference counts, further", Double(all.memoryCalls), atMost: 0)
      }
    }
    for workload in EngineWorkloads.chains(depth: 8) {
      let deep = workload.name.replacing("chain of 8", with: "chain of 64")
      guard let low = first[workload.name], let high = first[deep] else { return false }
      expect("\(deep): times \(workload.name)", high / low, atMost: 1.5)
    }
    guard let few = first["stack of 10"], let many = first["stack of 10000"] else { return false }
    expect("stack of 10000: times stack of 10", many / few, atMost: 1.3)
    return met
  }

  static func print() {
    let counts = InstructionCounter()
    defer { counts?.close() }
    Swift.print("engine, per element                    first width            further width")
    Swift.print("(leaves are measured before)             ns  instructions      ns  instructions")
    for workload in EngineWorkloads.all {
      let first = time(workload, widths: 1)
      let all = time(workload, widths: widths)
      let name = workload.name.padding(toLength: 34, withPad: " ", startingAt: 0)
      var columns = [first, nil, (all - first) / Double(widths - 1), nil]
      if let count = counts?.cost(of: workload, widths: 1)?.instructionsPerElement,
        let countOfAll = counts?.cost(of: workload, widths: widths)?.instructionsPerElement
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
    if counts == nil { Swift.print("Install valgrind and binutils to count instructions.") }
  }

  /// Returns the nanoseconds per element for a number of widths. This is the best of nine runs.
  private static func time(_ workload: Workload, widths: Int) -> Double {
    let cells = max(10, 200_000 / max(workload.run(cells: 4, widths: 1) / 4, 1))
    return (0..<9).map { _ in
      let begin = ContinuousClock.now
      let elements = workload.run(cells: cells, widths: widths)
      let elapsed = begin.duration(to: .now).components
      return (Double(elapsed.seconds) * 1e9 + Double(elapsed.attoseconds) * 1e-9) / Double(elements)
    }.min() ?? 0
  }
}
