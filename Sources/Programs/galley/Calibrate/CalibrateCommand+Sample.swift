import ArgumentParser
import BatchLayout
import CellTemplates
import CellsFiles
import LayoutEngine
import LayoutTables
import Processes
import RowsFiles

extension CalibrateCommand {
  struct Sample: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sample",
      abstract: "Write a kit with texts of the rows and programs that measure them on a device.",
      discussion: """
        Texts in several fonts, texts without a bounded width, and texts with properties that the programs do not set
        are left out. The fonts are copied into the kit, so that their licences must allow to pass them on.

        Example: galley calibrate sample posts.jsonl --cells posts.yaml --width 390 --platform flutter --output kit
        """)

    @OptionGroup var input: InputOptions

    @OptionGroup var variantOptions: VariantOptions

    @Option(help: "The directory of the kit, which must not exist.", completion: .directory)
    var output: String

    func run() throws {
      let variants = try variantOptions.variants(hasLines: true)
      guard let variant = variants.first, variants.count == 1 else {
        throw ValidationError("a kit has one variant, and these are \(variants.count); state one value for each option")
      }
      // An interrupted run leaves nothing behind.
      Interruption.catchSignals()
      var directory = try OutputDirectory(output)
      let file = try CellsFile(input.cells)
      let reader = try RowsReader(input.rows)
      let (texts, badRows) = try file.withProgram { program in
        let (texts, badRows) = try sample(reader, program, variant)
        try Kit(variant, program).write(texts, program, file, to: directory)
        return (texts, badRows)
      }
      try Interruption.check()
      try directory.complete()
      try Results.print("\(output): \(texts.count) texts; \(output)/README.md says how a device measures them")
      if badRows > 0 { throw ExitCode(ExitStatus.badRows) }
    }

    /// The number of bad rows whose errors are written.
    private static let namedRows = 5

    /// Returns the texts of the sample with what the layout expects of them, and the number of bad rows.
    ///
    /// - Throws: `RunFailure` if no text can be measured.
    private func sample(
      _ reader: RowsReader, _ program: CellProgram, _ variant: Variant
    ) throws -> ([KitText], Int) {
      let layout = try JobLayout(program, variants: [variant])
      var sample = KitSample()
      var badRows = 0
      try reader.forEachRow { row, location in
        try Interruption.check()
        do throws(CellError) {
          for text in try layout.measuredTexts(of: row, variant: 0) { sample.add(text, program.faces) }
        } catch {
          badRows += 1
          if badRows <= Self.namedRows { Messages.warning("\(location): \(error.description)") }
        }
      }
      let others = badRows - Self.namedRows
      if others > 0 { Messages.warning("\(others) further \(others == 1 ? "row is" : "rows are") bad") }
      let chosen = sample.texts()
      guard !chosen.isEmpty else {
        let properties = sample.unknownProperties.sorted().joined(separator: ", ")
        throw RunFailure(
          message: "\(reader.name): has no text in one font and in a bounded width that a device could measure"
            + (properties.isEmpty ? "" : "; the programs of a kit do not set \(properties), which texts have"))
      }
      var measurer = try KitMeasurer(program, variant)
      return (measurer.expecting(chosen), badRows)
    }
  }
}
