import Foundation
import LayoutEngine

/// The report of the instructions of a row in each stage, and of calls that allocate memory or count references.
/// Callgrind counts them.
enum StageInstructions {
  /// The number of rows of a workload. The first half is the warm-up.
  private static let rows = 8000

  static func print() throws {
    guard let program = GalleyProgram.find(for: "instructions") else { return }
    guard let counter = InstructionCounter() else {
      Swift.print("instructions: skipped, because valgrind or binutils are not installed")
      return
    }
    defer { counter.close() }
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("galley-count-\(getpid())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    Swift.print("\ninstructions per row               read     bind   lay out    write     total   allocations,")
    Swift.print("                                                                             reference counts")
    for workload in try StageWorkload.all(program, count: rows) {
      try workload.save(to: directory)
      let costs = StagePass.Stage.allCases.compactMap {
        counter.cost(ofCallsBy: ["--run-stage", directory.path, workload.name, $0.rawValue])
      }
      if costs.count == StagePass.Stage.allCases.count {
        line(workload.name, costs, Double(workload.rows.count { $0 == 0x0a }))
      } else {
        Swift.print("valgrind failed to count", workload.name)
      }
    }
  }

  private static func line(_ name: String, _ costs: [InstructionCounter.Cost], _ rows: Double) {
    let each = costs.map { Double($0.instructions) / rows }
    Swift.print(
      name.padding(toLength: 28, withPad: " ", startingAt: 0),
      String(
        format: "%10.0f %8.0f %9.0f %8.0f %9.0f %14.1f", each[0], each[1] - each[0], each[2] - each[1], each[3],
        each[2] + each[3], Double(costs[2].memoryCalls + costs[3].memoryCalls) / rows))
  }

  /// Processes the warm-up rows of a saved workload in all stages, and then the other rows in one. Valgrind runs this.
  static func run(_ directory: String, _ name: String, _ stage: StagePass.Stage) throws {
    let directory = URL(fileURLWithPath: directory)
    let workload = try StageWorkload(name, savedTo: directory)
    let pass = try StagePass(workload, [Variant(width: 390)])
    _ = try pass.run(workload.warmUp)
    let tables = try pass.makeTables(directory.appendingPathComponent("tables"))
    try pass.forEachChunk(of: workload.rows) { chunk in
      switch stage {
      case .read: InstructionCounter.countedCall { pass.read(chunk) }
      case .bind: InstructionCounter.countedCall { pass.bind(chunk) }
      case .layOut: InstructionCounter.countedCall { _ = pass.layOut(chunk) }
      case .write:
        let columns = pass.layOut(chunk)
        try InstructionCounter.countedCall { try pass.write(chunk, columns, to: tables) }
      }
    }
  }
}
