/// The instructions of an element in the workloads of the engine.
enum EngineInstructions {
  /// The numbers of widths that each workload is laid out at.
  private static let widths = [1, EngineReport.widths]

  struct Costs {
    /// The instructions of an element for the first width.
    var first = 0.0
    /// The instructions of an element for a further width.
    var further = 0.0
    /// The number of calls that allocate memory or count references in further cells.
    var memoryCalls = 0
  }

  /// Returns the costs of each workload by its name, or nil if valgrind fails.
  static func costs(_ counter: InstructionCounter) -> [String: Costs]? {
    guard var calls = counter.costs(ofEachCallBy: ["--run-engine"])?.makeIterator() else { return nil }
    /// Returns the cost of the cells that only the long one of the next three calls has.
    func furtherCells() -> InstructionCounter.Cost? {
      guard let _ = calls.next(), let short = calls.next(), let long = calls.next() else { return nil }
      return long - short
    }
    var costs: [String: Costs] = [:]
    for workload in EngineWorkloads.all {
      guard let one = furtherCells(), let all = furtherCells() else { return nil }
      let elements = Double(self.elements(workload))
      let first = Double(one.instructions) / elements
      costs[workload.name] = Costs(
        first: first,
        further: (Double(all.instructions) / elements - first) / Double(EngineReport.widths - 1),
        memoryCalls: one.memoryCalls + all.memoryCalls)
    }
    return calls.next() == nil ? costs : nil
  }

  /// Lays out each workload. Valgrind runs this.
  static func run() {
    for workload in EngineWorkloads.all {
      let cells = cells(workload)
      for widths in widths {
        // The first call prepares what is done once; then there are a short and a long one.
        for cells in [cells, cells, 3 * cells] {
          InstructionCounter.countedCall { _ = workload.run(cells: cells, widths: widths) }
        }
      }
    }
  }

  private static func cells(_ workload: Workload) -> Int {
    max(16, 4000 / max(workload.run(cells: 4, widths: 1) / 4, 1) * 4)
  }

  /// Returns the number of elements in the cells that only the long run has.
  private static func elements(_ workload: Workload) -> Int {
    let cells = cells(workload)
    return workload.run(cells: cells * 3, widths: 1) - workload.run(cells: cells, widths: 1)
  }
}
