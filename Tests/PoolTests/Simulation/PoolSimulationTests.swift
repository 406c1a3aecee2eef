import PoolSimulation
import Testing

@Suite struct PoolSimulationTests {
  /// `simulate-pool` plays more seeds.
  @Test(arguments: 0..<8 as Range<UInt64>) func everyBatchEndsWithTheTablesOfOneProcess(part: UInt64) {
    for seed in 1 + part * 8..<1 + (part + 1) * 8 {
      let simulation = PoolSimulation(seed: seed)
      guard simulation.run() == nil else {
        Issue.record("\(PoolSimulation.trace(seed: seed))")
        return
      }
    }
  }
}
