import ArgumentParser
import Buffers
import LayoutTables

/// The place to which the results of a run are written, in the order of the rows.
protocol RunOutput: AnyObject {
  /// The path of the journal from which the run can be resumed, or nil if it keeps none.
  var journalPath: String? { get }

  /// Whether the reader of the results has closed its end.
  var hasLostReader: Bool { get }

  /// Appends the results of the next rows in each variant.
  ///
  /// - Parameter bytes: The approximate number of input bytes up to the end of these rows.
  /// - Throws: `RunFailure` for a bad row if `--strict` was given, or an error in writing.
  func append(_ variants: [JobTable], bytes: Int) throws

  /// Begins with the first row again, because the results so far will come once more.
  func begin() throws

  /// Completes the output.
  ///
  /// - Parameter takenRows: The number of rows that were taken from an earlier run, or nil without one.
  func finish(_ read: InputSummary, programHash: [UInt8], takenRows: UInt64?) throws

  /// Tells the user the totals, and writes warnings and bad rows to standard error.
  ///
  /// - Parameter work: The work that the totals describe.
  /// - Throws: `ExitCode` if rows are bad.
  func report(_ options: TableOptions, of work: RunSummary.Work) throws
}

extension BatchNotes {
  /// Writes the bad rows to standard error.
  ///
  /// - Parameters:
  ///   - bad: The number of bad rows.
  ///   - rows: The number of all rows.
  ///   - place: The table or the column that has the errors.
  /// - Throws: `ExitCode` if there are any.
  func reportBadRows(_ bad: UInt64, of rows: UInt64, input: String, place: String) throws {
    guard bad > 0 else { return }
    var details = badRows.map { $0.message(input: input) }
    if bad > UInt64(badRows.count) {
      details.append("… and \(bad - UInt64(badRows.count)) more, with their errors in \(place)")
    }
    let text = "\(bad) of \(rows) rows \(bad == 1 ? "is bad; it has" : "are bad; they have") height 0 in the tables"
    Messages.error(text, details: details)
    throw ExitCode(ExitStatus.badRows)
  }
}

extension BatchNotes.BadRow {
  /// Returns a message such as `posts.jsonl:17: field "text" is missing`.
  func message(input: String) -> String {
    guard let location = error.prefixMatch(of: #/(?:(.*?) )?line (\d+): /#.dotMatchesNewlines()) else { return error }
    return "\(location.1.map(String.init) ?? input):\(location.2): \(error[location.range.upperBound...])"
  }
}
