import Foundation
import LayoutTables
import ListTables
import Processes

/// A writer of the directory of what changed between two runs.
struct DiffWriter: ~Copyable {
  private var directory: OutputDirectory

  /// - Throws: `RunFailure` if the directory is inside of one of the runs, `OutputError` if it exists or cannot be created.
  init(creating path: String, beside runs: DiffedRuns) throws {
    // The end of the path does not exist, so that only its directory has a real path.
    let parent = FileReplacement.resolved(URL(fileURLWithPath: path).deletingLastPathComponent().path)
    for run in [runs.old, runs.new] where (parent + "/").hasPrefix(FileReplacement.resolved(run) + "/") {
      throw RunFailure(
        message: "\(path): is inside of \(run), which has the tables of a run only; choose a directory beside it")
    }
    directory = try OutputDirectory(path)
  }

  /// Writes the tables of a variant.
  ///
  /// - Parameter note: A function that is called with each row that is written.
  mutating func write(_ diff: ListDiff, variant: String, note: (RowChange) -> Void) throws {
    let tables = try ChangeTables(
      in: "\(directory.temporaryPath)/\(variant)", nodeChanges: NodeChange.Kind.allCases.map(\.rawValue))
    let cursors = diff.cursors()
    try diff.forEachRow { row in
      try Interruption.check()
      let id = try diff.id(of: row)
      try tables.append(
        row: id, old: place(row.oldRow, diff.old.heights), new: place(row.newRow, diff.new.heights),
        isMoved: row.isMoved,
        isResized: row.isResized, isChanged: row.isChanged, isRedrawn: row.isRedrawn)
      for node in try diff.nodes(of: row, cursors) {
        try tables.append(
          node: node.node, ofRow: id, change: NodeChange.Kind.allCases.firstIndex(of: node.kind) ?? 0,
          old: place(node.oldIndex, node.old), new: place(node.newIndex, node.new))
      }
      note(row)
    }
    try tables.finish()
  }

  /// Moves the finished tables to their path.
  mutating func complete() throws {
    try Interruption.check()
    try directory.complete()
  }

  private func place(_ row: Int?, _ heights: Heights) -> ChangeTables.RowPlace? {
    row.map { ($0, heights.offset(of: $0), heights.height(of: $0)) }
  }

  private func place(_ index: Int?, _ frame: NodeFrame?) -> ChangeTables.NodePlace? {
    guard let index, let frame else { return nil }
    return (index, frame.x, frame.y, frame.width, frame.height)
  }
}
