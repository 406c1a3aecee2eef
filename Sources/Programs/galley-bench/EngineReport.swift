import Foundation

/// The report of the time and instructions per element in the layout engine, for the first width of a cell and for
/// further widths.
enum EngineReport {
  static let widths = 5
  /// The most instructions of a text of about a hundred characters for the first width and for a further one: known words in English,
  /// in European languages and in Japanese, mixed scripts, and words that do not occur before.
  private static let textLimits: [(first: Double, further: Double)] = [
    (7900, 1750), (16_400, 1600), (109_000, 5450), (31_000, 1900), (6700, 1600),
  ]

  /// Checks the goals of the engine by counts, which do not depend on the load of the machine. Returns whether all are
  /// met.
  ///
  /// A photo cell takes at most 400 instructions per element for the first width and 250 for a further one, chains of
  /// 64 levels at most 1.5 times those of 8, a stack of 10,000 at most 1.3 times one of 10, and no warm pass allocates
  /// or counts a reference. A text of eight times the length takes at most 24 times the instructions, where a quadratic time
  /// takes 64 times, on any platform. Texts of about a hundred characters take at most `textLimits`.
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
    guard let costs = EngineInstructions.costs(counter), let photo = costs[EngineWorkloads.photo.name],
      let texts = counter.costs(ofEachCallBy: ["--run-texts"]), texts.count == LongTexts.calls + TextInstructions.calls
    else {
      Swift.print("valgrind failed to count instructions")
      return false
    }
    for workload in EngineWorkloads.all {
      expect(
        "\(workload.name): allocations and reference counts", Double(costs[workload.name]?.memoryCalls ?? .max),
        atMost: 0)
    }
    expect("photo cell: instructions per element, first width", photo.first, atMost: 400)
    expect("photo cell: instructions per element, further width", photo.further, atMost: 252)
    for workload in EngineWorkloads.chains(depth: 8) {
      let deep = workload.name.replacing("chain of 8", with: "chain of 64")
      guard let low = costs[workload.name]?.first, let high = costs[deep]?.first else { return false }
      expect("\(deep): times \(workload.name)", high / low, atMost: 1.5)
    }
    guard let few = costs["stack of 10"]?.first, let many = costs["stack of 10000"]?.first else { return false }
    expect("stack of 10000: times stack of 10", many / few, atMost: 1.3)
    let steepest = LongTexts.steepest(texts[..<LongTexts.calls])
    expect(
      "texts of \(steepest.name): times a text of 1/\(LongTexts.growth) of the length", steepest.factor,
      atMost: 24)
    for (costs, limits) in zip(TextInstructions.costs(texts[LongTexts.calls...]), textLimits) {
      expect("\(costs.name): instructions per text, first width", costs.first, atMost: limits.first)
      expect("\(costs.name): instructions per text, further width", costs.further, atMost: limits.further)
    }
    return met
  }

  static func print() {
    let counter = InstructionCounter()
    defer { counter?.close() }
    let costs = counter.flatMap(EngineInstructions.costs)
    Swift.print("engine, per element                    first width            further width")
    Swift.print("(leaves are measured before)             ns  instructions      ns  instructions")
    for workload in EngineWorkloads.all {
      let first = time(workload, widths: 1)
      let all = time(workload, widths: widths)
      let name = workload.name.padding(toLength: 34, withPad: " ", startingAt: 0)
      var columns = [first, nil, (all - first) / Double(widths - 1), nil]
      if let cost = costs?[workload.name] { (columns[1], columns[3]) = (cost.first, cost.further) }
      let cells = zip(columns, [8, 13, 8, 13]).map { value, width in
        let text = value.map { String(format: "%.0f", $0) } ?? "-"
        return String(repeating: " ", count: max(0, width - text.count)) + text
      }
      Swift.print(name, cells.joined())
    }
    if counter == nil { Swift.print("Install valgrind and binutils to count instructions.") }
  }

  /// Returns the nanoseconds per element for a number of widths. This is the best of nine runs.
  private static func time(_ workload: Workload, widths: Int) -> Double {
    let cells = max(10, 200_000 / max(workload.run(cells: 4, widths: 1) / 4, 1))
    return (0..<9).map { _ in
      let begin = ContinuousClock.now
      let elements = workload.run(cells: cells, widths: widths)
      return begin.duration(to: .now).microseconds * 1000 / Double(elements)
    }.min() ?? 0
  }
}
