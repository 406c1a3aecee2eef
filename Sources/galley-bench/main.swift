import Foundation

// `galley-bench` prints the tables (`--texts` that of texts only), `--capacity` that of a coordinator's capacity;
// `--check` tells whether the goals are met; `--run NAME CELLS WIDTHS` is what they have valgrind count.
let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.count == 4, arguments[0] == "--run", let cells = Int(arguments[2]), let widths = Int(arguments[3]),
  let workload = EngineWorkloads.all.first(where: { $0.name == arguments[1] })
{
  print(workload.run(cells: cells, widths: widths))
} else if arguments == ["--check"] {
  exit(EngineReport.meetsGoals() ? 0 : 1)
} else if arguments == ["--capacity"] {
  CapacityReport.print()
} else if arguments.isEmpty || arguments == ["--texts"] {
  if arguments.isEmpty { EngineReport.print() }
  TextReport.print()
} else {
  print("usage: galley-bench [--capacity | --check | --texts]")
  exit(64)
}
