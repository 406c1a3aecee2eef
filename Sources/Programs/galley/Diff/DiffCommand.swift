import ArgumentParser
import ListTables
import Processes

struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare the tables of two runs: rows and nodes that were inserted, removed, moved or resized.",
    discussion: """
      Examples: galley diff tables.old tables --output changes
                galley diff tables.old tables --anchor post-17 --offset 12000
      """)

  @Argument(help: "The directory of the earlier run.", completion: .directory)
  var old: String

  @Argument(help: "The directory of the later run, with the same variants.", completion: .directory)
  var new: String

  @Option(
    help: "The directory for rows.arrow and nodes.arrow of each variant, which must not exist.", completion: .directory)
  var output: String?

  @Option(help: "Print the offset at which the row with this id is where it was at --offset, instead of a summary.")
  var anchor: String?

  @Option(help: "The offset of the earlier list for --anchor, in points.")
  var offset: Double?

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard (anchor == nil) == (offset == nil) else {
      throw ValidationError("--anchor and --offset belong together: a row, and the offset at which the list stands")
    }
    guard anchor != nil || output.map({ !$0.isEmpty }) ?? false else {
      throw ValidationError("Missing expected argument '--output <output>'")
    }
    guard offset?.isFinite ?? true else { throw ValidationError("--offset is a number of points") }
  }

  func run() throws {
    // An interrupted comparison leaves no directory.
    if output != nil { Interruption.catchSignals() }
    let runs = try DiffedRuns(old: old, new: new)
    var writer: DiffWriter?
    if let output { writer = try DiffWriter(creating: output, beside: runs) }
    var summaries: [DiffSummary] = []
    var offsets: [DiffOffset] = []
    for variant in runs.variants {
      let diff = try runs.diff(of: variant)
      if !diff.hasFrames, anchor == nil {
        Messages.warning(
          "\(variant): only widths and heights are compared, because a run has no frames: --columns heights left them out"
        )
      }
      if let anchor, let offset { offsets.append(try DiffOffset(variant, diff, keeping: anchor, at: offset)) }
      var summary = DiffSummary(diff, of: variant)
      try writer?.write(diff, variant: variant) { summary.note($0) }
      summaries.append(summary)
    }
    try writer?.complete()
    if anchor == nil {
      try print(summaries, \.text)
    } else {
      try print(offsets, offsets.count == 1 ? \.number : \.text)
    }
  }

  private func print<Line: Encodable>(_ lines: [Line], _ text: (Line) -> String) throws {
    if json { return try Results.print(["variants": lines], .withoutEscapingSlashes) }
    try Results.print(lines.map(text).joined(separator: "\n"))
  }
}
