import ArgumentParser
import CellsFiles
import RowsFiles

extension CalibrateCommand {
  struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "compare",
      abstract: "Say what a device has measured otherwise, and print a calibration for the cells file.",
      discussion: """
        Lines of the file that are wrong, and texts that were not measured, are reported and left out.

        Example: galley calibrate compare kit measured.jsonl
        """)

    @Argument(help: "The directory of the kit.", completion: .directory)
    var kit: String

    @Argument(
      help: "The file that a program of the kit has written on the device, or - for standard input.",
      completion: .file())
    var measured: String

    func run() throws {
      let variant = try Kit.variant(of: kit)
      let file = try CellsFile("\(kit)/\(Kit.cellsFile)")
      let problems = try file.withProgram { program -> Int in
        var measurer = try KitMeasurer(program, variant)
        let texts = try MeasuredTexts(kit: kit, measured: measured) { measurer.accepts($0) }
        report(texts)
        guard !texts.cases.isEmpty else {
          throw RunFailure(
            message: "\(RowsReader.name(of: [measured])): has no measurement of the kit's texts; \(kit)/README.md says "
              + "how to measure them")
        }
        let present = measurer.calibration
        let fitted = CalibrationFit(texts.cases, variant.platform).run(&measurer)
        let comparison = CalibrationComparison(
          texts.cases, before: measurer.sizes(of: texts.cases, present),
          after: fitted == present ? nil : measurer.sizes(of: texts.cases, fitted), measurer.grid)
        for doubt in comparison.doubts(of: fitted) { Messages.warning(doubt) }
        try Results.print(comparison.text(missing: texts.missing.count) + "\n")
        try Results.print(
          fitted == present
            ? "No other calibration would make more of the texts equal."
            : fitted.text(variant.platform, fonts: program.fonts.names, present: program.calibrations))
        return texts.problemCount
      }
      if problems > 0 { throw ExitCode(ExitStatus.badRows) }
    }

    private func report(_ texts: MeasuredTexts) {
      for problem in texts.problems { Messages.warning(problem) }
      let others = texts.problemCount - texts.problems.count
      if others > 0 { Messages.warning("\(others) further \(others == 1 ? "line is" : "lines are") wrong") }
      if let first = texts.missing.first {
        Messages.warning(
          "\(RowsReader.name(of: [measured])): \(texts.missing.count) texts of the kit are not measured, the first of them "
            + "text \(first)")
      }
    }
  }
}
