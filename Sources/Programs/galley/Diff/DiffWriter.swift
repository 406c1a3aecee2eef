import ArgumentParser
import Foundation
import LayoutTables
import ListTables
import Processes

/// A writer of the directory of what changed between two runs.
struct DiffWriter: ~Copyable {
  private var directory: OutputDirectory

  /// - Throws: `RunFailure` if the directory exists or is inside of one of the runs, `OutputError` if it cannot be
  ///   created.
  init(creating path: String, beside runs: DiffedRuns) throws {
    guard !FileManager.default.fileExists(atPath: path) else {
      throw RunFailure(message: "\(path): exists already; choose another directory")
    }
    // The end of the path does not exist, so that only its directory has a real path.
    let url = URL(fileURLWithPath: path).standardizedFileURL
    let real = Self.realPath(url.deletingLastPathComponent().path) + "/" + url.lastPathComponent
    for run in [runs.old, runs.new] where real.hasPrefix(Self.realPath(run) + "/") {
      throw RunFailure(
        message: "\(path): is inside of \(run), which has the tables of a run only; choose a directory beside it")
    }
    directory = try OutputDirectory(path, replacing: nil)
  }

  /// Writes the tables of a variant.
  ///
  /// - Parameter note: A function that is called with each row that is written.
  mutating func write(_ diff: ListDiff, variant: String, note: (RowChange) -> Void) throws {
    var tables = try ChangeTables(
      in: "\(directory.temporaryPath)/\(variant)", nodeChanges: NodeChange.Kind.allCases.map(\.rawValue))
    let cursors = diff.cursors()
    try diff.forEachRow { row in
      try Interruption.check()
      let id = try diff.id(of: row)
      try tables.append(RowChangeRecord(row, diff), id: id)
      for node in try diff.nodes(of: row, cursors) { try tables.append(NodeChangeRecord(node), id: id) }
      note(row)
    }
    try tables.finish()
  }

  /// Moves the finished tables to their path.
  mutating func complete() throws {
    try Interruption.check()
    try directory.complete()
  }

  private static func realPath(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
  }
}

extension RowChangeRecord {
  fileprivate init(_ row: RowChange, _ diff: ListDiff) {
    func place(_ row: Int?, _ heights: Heights) -> Place? {
      row.map { Place(row: $0, y: heights.offset(of: $0), height: heights.height(of: $0)) }
    }
    self.init(
      old: place(row.oldRow, diff.old.heights), new: place(row.newRow, diff.new.heights), isMoved: row.isMoved,
      isResized: row.isResized, isChanged: row.isChanged, isRedrawn: row.isRedrawn)
  }
}

extension NodeChangeRecord {
  fileprivate init(_ change: NodeChange) {
    func place(_ index: Int?, _ frame: NodeFrame?) -> Place? {
      guard let index, let frame else { return nil }
      return Place(index: index, x: frame.x, y: frame.y, width: frame.width, height: frame.height)
    }
    self.init(
      node: change.node, change: NodeChange.Kind.allCases.firstIndex(of: change.kind) ?? 0,
      old: place(change.oldIndex, change.old), new: place(change.newIndex, change.new))
  }
}
