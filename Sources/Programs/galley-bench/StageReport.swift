import Foundation
import LayoutEngine

/// The report of the time of a row on one core in each stage.
enum StageReport {
  private static let variants: [(String, [Variant])] = [
    ("", [Variant(width: 390)]),
    (", 5 widths", [320, 360, 375, 390, 430].map { Variant(width: $0) }),
    (", 3 text scales", [1, 1.35, 2].map { Variant(width: 390, textScale: $0) }),
  ]

  static func print() throws {
    guard let program = GalleyProgram.find(for: "stages") else { return }
    let workloads = try StageWorkload.all(program)
    Swift.print(
      "\none core, per row                          read    bind  lay out       write    sync    total    rows/s  text cache"
    )
    Swift.print(
      "                                           MB/s      ns       ns  MB/s    ns      ns       ns")
    for workload in workloads {
      for (name, variants) in variants {
        let pass = try StagePass(workload, variants)
        _ = try pass.run(workload.warmUp)
        line(workload, name, try pass.run(workload.rows), pass.cacheHitRate)
      }
    }
    if let posts = workloads.first { try Comparisons.print(posts) }
  }

  private static func line(_ workload: StageWorkload, _ suffix: String, _ times: StagePass.Times, _ hitRate: Double) {
    let count = Double(times.rows)
    func nanoseconds(_ seconds: Double) -> Double { seconds / count * 1e9 }
    let write = times.own(.write)
    Swift.print(
      (workload.name + suffix).padding(toLength: 38, withPad: " ", startingAt: 0),
      String(
        format: "%7.0f %7.0f %8.0f %5.0f %5.0f %7.0f %8.0f %9.0f %9.1f %%",
        Double(workload.rows.count) / 1e6 / times.own(.read), nanoseconds(times.own(.bind)),
        nanoseconds(times.own(.layOut)), Double(times.columnBytes) / 1e6 / write, nanoseconds(write),
        nanoseconds(times.synchronize), nanoseconds(times.total), count / times.total, hitRate * 100))
  }
}
