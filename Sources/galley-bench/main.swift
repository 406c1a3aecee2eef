import Foundation

// `galley-bench` prints the table; `galley-bench --run NAME CELLS WIDTHS` is what it has valgrind count.
let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.count == 4, arguments[0] == "--run", let cells = Int(arguments[2]), let widths = Int(arguments[3]),
  let workload = EngineWorkloads.all.first(where: { $0.name == arguments[1] })
{
  print(workload.run(cells: cells, widths: widths))
} else {
  EngineReport.print()
}
