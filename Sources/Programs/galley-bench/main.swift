import Foundation

// Without arguments, the program prints the tables of the engine and of texts. `--texts` prints only that of texts,
// `--stages` the time of a row in each stage and in other programs, `--instructions` its instructions, `--pool` the
// time of a job in the coordinator, and `--capacity` the number of workers that a coordinator can serve. `--check`
// checks the goals of the engine.
//
// The program also starts itself: `--run-engine`, `--run-stage DIRECTORY NAME STAGE` and `--run-texts` with
// valgrind, and `--run-coordinator` for `--pool`.
let arguments = Array(CommandLine.arguments.dropFirst())
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
case ["--run-engine"]: EngineInstructions.run()
case ["--run-texts"]:
  LongTexts.run()
  TextInstructions.run()
default:
  print("usage: galley-bench [--texts | --stages | --instructions | --pool | --capacity | --check]")
  exit(64)
}
