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
    let workloads = EngineWorkloads.all
    guard let counted = counter.costs(ofEachCallBy: ["--run-engine"]), counted.count == workloads.count * 6 else {
      return nil
    }
    var costs: [String: Costs] = [:]
    for (index, workload) in workloads.enumerated() {
      let (one, all) = (counted[(6 * index)...], counted[(6 * index + 3)...])
      let elements = Double(self.elements(workload))
      // Of three calls, the first one prepares what is done once.
      func further(_ calls: ArraySlice<InstructionCounter.Cost>) -> InstructionCounter.Cost {
        calls[calls.startIndex + 2] - calls[calls.startIndex + 1]
      }
      let first = Double(further(one).instructions) / elements
      costs[workload.name] = Costs(
        first: first,
        further: (Double(further(all).instructions) / elements - first) / Double(EngineReport.widths - 1),
        memoryCalls: further(one).memoryCalls + further(all).memoryCalls)
    }
    return costs
  }

  /// Lays out each workload. Valgrind runs this.
  static func run() {
    for workload in EngineWorkloads.all {
      let cells = cells(workload)
      for widths in widths {
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
