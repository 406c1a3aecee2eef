import ArgumentParser
import ListTables

/// A form of skeletons.
enum SkeletonFormat: String, ExpressibleByArgument, CaseIterable { case svg, html }

struct SkeletonCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "skeleton",
    abstract: "Write the picture of rows before their contents are there: bars for lines, rectangles for images.",
    discussion: """
      An SVG image shows the rows below each other. HTML is an element as high as the whole list, with an image of each row \
      in its place.

      Examples:
        galley skeleton tables/w390 --rows 0-9 > first.svg
        galley skeleton tables/w390 --rows 120-131 --format html > page.html
      """)

  @Argument(help: "The directory of the variant, such as tables/w390.", completion: .directory)
  var tables: String

  @Option(
    help: "The first and the last row, such as 0-9, or one row. (default: the first 10)",
    transform: { text in
      let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { Int($0) }
      guard let first = ends.first ?? nil, let last = ends.last ?? nil, 0 <= first, first <= last else {
        throw ValidationError("--rows \(text) is not a range of rows, such as 0-9")
      }
      return first...last
    })
  var rows: ClosedRange<Int>?

  @Option(help: "The form of the picture.")
  var format = SkeletonFormat.svg

  func run() throws {
    let tables = try MappedTables(tables)
    guard tables.hasFrames else {
      throw TableError(tables.path, "has no frames, of which skeletons are made: --columns heights left them out")
    }
    let count = tables.heights.rowCount
    guard count > 0 else { throw TableError(tables.path, "has no rows") }
    let rows = rows ?? 0...min(Self.defaultRows, count) - 1
    guard rows.upperBound < count else {
      throw TableError(tables.path, "has no row \(rows.upperBound): its rows are 0 to \(count - 1)")
    }
    if tables.isArranged {
      Messages.note("\(tables.path): the rows are below each other, and not as galley arrange has arranged them")
    }
    let markup = SkeletonMarkup(tables)
    try Results.write("\(format == .svg ? markup.svg(rows) : markup.html(rows))\n")
  }

  private static let defaultRows = 10
}
