import Foundation

// `galley-bench` prints the tables (`--texts` that of texts only), `galley-bench --check` tells whether the goals are met; `galley-bench --run NAME
// CELLS WIDTHS` is what they have valgrind count.
let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.count == 4, arguments[0] == "--run", let cells = Int(arguments[2]), let widths = Int(arguments[3]),
  let workload = EngineWorkloads.all.first(where: { $0.name == arguments[1] })
{
  print(workload.run(cells: cells, widths: widths))
} else if arguments == ["--check"] {
  exit(EngineReport.meetsGoals() ? 0 : 1)
} else if arguments == ["--stages"] {
  try StageReport.print()
} else if arguments == ["--pool"] {
  try PoolReport.print()
} else if arguments.isEmpty || arguments == ["--texts"] {
  if arguments.isEmpty { EngineReport.print() }
  TextReport.print()
} else {
  print("usage: galley-bench [--check | --texts | --stages | --pool]")
  exit(64)
}
