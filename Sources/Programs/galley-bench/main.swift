import Foundation

// `galley-bench` prints the engine's and the texts' tables, `--texts` that of texts only, `--stages` that of a row's way
// with what others take for it, `--instructions` what that costs, `--pool` the table of a job in the coordinator,
// `--capacity` that of what a coordinator feeds; `--check` tells whether the goals are met. `--run NAME CELLS WIDTHS` and
// `--run-stage DIRECTORY NAME STAGE` are what they have valgrind count, `--run-coordinator` is what `--pool` measures.
let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.count == 4, arguments[0] == "--run", let cells = Int(arguments[2]), let widths = Int(arguments[3]),
  let workload = EngineWorkloads.all.first(where: { $0.name == arguments[1] })
{
  print(workload.run(cells: cells, widths: widths))
  exit(0)
}
if arguments.count == 4, arguments[0] == "--run-stage", let stage = StagePass.Stage(rawValue: arguments[3]) {
  try StageInstructions.run(arguments[1], arguments[2], stage)
  exit(0)
}
if try PoolCoordinator.run(arguments) { exit(0) }
switch arguments {
case []:
  EngineReport.print()
  TextReport.print()
case ["--texts"]: TextReport.print()
case ["--stages"]: try StageReport.print()
case ["--instructions"]: try StageInstructions.print()
case ["--pool"]: try PoolReport.print()
case ["--capacity"]: CapacityReport.print()
case ["--check"]: exit(EngineReport.meetsGoals() ? 0 : 1)
default:
  print("usage: galley-bench [--texts | --stages | --instructions | --pool | --capacity | --check]")
  exit(64)
}
