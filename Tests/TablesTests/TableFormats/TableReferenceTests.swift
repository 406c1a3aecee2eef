import Foundation
import GalleyTestSupport
import Testing

@testable import TableFormats

/// Tests of the tables in the reference articles: they have the columns that the declarations state.
@Suite struct TableReferenceTests {
  /// A table of a reference article.
  private struct Reference {
    let article: String
    /// The heading of the section, in which the table is the first one.
    let heading: String
    let lines: [String]
  }

  private static let references = [
    Reference(
      article: "TablesReference", heading: "heights.arrow", lines: lines(columnFormats(HeightColumns.init))),
    Reference(article: "TablesReference", heading: "frames.arrow", lines: lines(columnFormats(FrameColumns.init))),
    Reference(
      article: "TablesReference", heading: "resources.arrow", lines: lines(columnFormats(ResourceColumns.init))),
    Reference(article: "TablesReference", heading: "lines.arrow", lines: lines(columnFormats(LineColumns.init))),
    Reference(article: "TablesReference", heading: "texts.arrow", lines: lines(columnFormats(TextColumns.init))),
    Reference(article: "TablesReference", heading: "hashes.arrow", lines: lines(columnFormats(HashColumns.init))),
    Reference(
      article: "TablesReference", heading: "The stream",
      lines: streamLines(columnFormats { StreamColumns(hasLines: true, $0) })),
    Reference(
      article: "Arranging", heading: "arrangement.arrow", lines: lines(columnFormats(ArrangementColumns.init))),
    Reference(article: "ListChanges", heading: "rows.arrow", lines: lines(columnFormats(RowChangeColumns.init))),
    Reference(article: "ListChanges", heading: "nodes.arrow", lines: lines(columnFormats(NodeChangeColumns.init))),
  ]

  @Test func theReferenceArticlesAreUpToDate() throws {
    for reference in Self.references {
      let article = Fixtures.url("../../Sources/Documentation.docc/\(reference.article).md").standardized
      var lines = try String(contentsOf: article, encoding: .utf8).components(separatedBy: "\n")
      let table = try #require(Self.table(below: "## " + reference.heading, in: lines))
      if ProcessInfo.processInfo.environment["GALLEY_UPDATE_REFERENCE"] != nil {
        lines.replaceSubrange(table, with: reference.lines)
        try lines.joined(separator: "\n").write(to: article, atomically: true, encoding: .utf8)
      } else {
        #expect(
          Array(lines[table]) == reference.lines,
          "write it anew with GALLEY_UPDATE_REFERENCE=1 swift test --filter TableReferenceTests")
      }
    }
  }

  /// Returns the range of the first table below a heading.
  private static func table(below heading: String, in lines: [String]) -> Range<Int>? {
    guard let section = lines.firstIndex(of: heading),
      let start = lines[section...].firstIndex(where: { $0.hasPrefix("|") }),
      let end = lines[start...].firstIndex(where: { !$0.hasPrefix("|") })
    else { return nil }
    return start..<end
  }

  /// Returns the table of a file's columns. Columns that only differ in their names share a line.
  private static func lines(_ columns: [ColumnFormat]) -> [String] {
    ["| column | type | unit | meaning |", "| --- | --- | --- | --- |"]
      + runs(columns) { ($0.type, $0.isNullable, $0.unit, $0.meaning) == ($1.type, $1.isNullable, $1.unit, $1.meaning) }
      .map { run in
        "| \(names(run)) | \(type(run[0])) | \(run[0].unit.isEmpty ? "" : run[0].unit + " ")| \(run[0].meaning) |"
      }
  }

  /// Returns the table of the stream's columns, which states the columns of lists in the line of the list.
  private static func streamLines(_ columns: [ColumnFormat]) -> [String] {
    ["| column | type | content |", "| --- | --- | --- |"]
      + runs(columns) { ($0.type, $0.meaning) == ($1.type, $1.meaning) }
      .map { run in
        let content = [records(of: run[0]), run[0].meaning].filter { !$0.isEmpty }.joined(separator: " ")
        return "| \(names(run)) | \(type(run[0])) | \(content) |"
      }
  }

  /// Returns the sentence about the records of a column of lists.
  private static func records(of column: ColumnFormat) -> String {
    let records =
      switch column.name {
      case "frames": columnFormats(StreamFrameColumns.init)
      case "resources": columnFormats(StreamResourceColumns.init)
      case "lines": columnFormats(StreamLineColumns.init)
      case "texts": columnFormats(StreamTextColumns.init)
      default: [ColumnFormat]()
      }
    guard !records.isEmpty else { return "" }
    return runs(records) { ($0.type, $0.meaning) == ($1.type, $1.meaning) }
      .map { "\(names($0)): \(type($0[0]))\($0[0].meaning.isEmpty ? "" : ", " + $0[0].meaning)" }
      .joined(separator: "; ") + "."
  }

  /// Returns columns that follow each other and are alike, together.
  private static func runs(
    _ columns: [ColumnFormat], _ areAlike: (ColumnFormat, ColumnFormat) -> Bool
  ) -> [[ColumnFormat]] {
    columns.reduce(into: []) { runs, column in
      if let last = runs.last?.last, areAlike(last, column) {
        runs[runs.count - 1].append(column)
      } else {
        runs.append([column])
      }
    }
  }

  private static func names(_ run: [ColumnFormat]) -> String { run.map { "`\($0.name)`" }.joined(separator: ", ") }

  private static func type(_ column: ColumnFormat) -> String {
    let type =
      switch column.type {
      case .dictionary(_, let bits): "dictionary of utf8, int\(bits)"
      case .list: "list of struct"
      default: "\(column.type)"
      }
    return column.isNullable ? type + ", nullable" : type
  }
}
