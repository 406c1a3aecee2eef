import Foundation
import PoolSimulation

// Plays seeds of the pool's simulation: `simulate-pool SEEDS [FIRST]`, or `simulate-pool --trace SEED`.

let arguments = CommandLine.arguments.dropFirst().map { $0 }
if arguments.first == "--trace", let seed = arguments.dropFirst().first.flatMap({ UInt64($0) }) {
  print(PoolSimulation.trace(seed: seed))
} else {
  let count = arguments.first.flatMap { UInt64($0) } ?? 1_000
  let first = arguments.dropFirst().first.flatMap { UInt64($0) } ?? 1
  var faults: [String: Int] = [:]
  var steps = 0
  for seed in first..<first + count {
    let simulation = PoolSimulation(seed: seed)
    if let flaw = simulation.run() {
      print("seed \(seed): \(flaw)")
      exit(1)
    }
    faults.merge(simulation.faultCounts, uniquingKeysWith: +)
    steps += simulation.steps
  }
  print("\(count) seeds without a flaw: \(steps) steps, \(faults.values.reduce(0, +)) faults")
  for (kind, times) in faults.sorted(by: { $0.key < $1.key }) { print("  \(kind) \(times)") }
}
