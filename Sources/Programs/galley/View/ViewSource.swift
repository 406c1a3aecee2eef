import Buffers
import CellTemplates
import CellsFiles
import Foundation
import Hashing
import LayoutEngine
import Processes
import RowsFiles
import Synchronization
import Viewer

/// The tables and texts that `galley view` shows, and the files from which it makes them.
final class ViewSource {
  /// What is shown.
  struct Content {
    let run: ViewedRun
    var texts: ViewedTexts?
    /// The reason why there are no texts.
    var problem: ViewedProblem?
  }

  /// What other threads tell of the rows that are shown.
  private final class Reports: Sendable {
    let viewer = Mutex<ViewService?>(nil)
    /// Whether the tables are not those of the rows, so that `--watch` lays them out again.
    let isOutdated = Atomic(false)
  }

  private let directory: String?
  private let rows: [String]
  private let cells: String?
  private let watches: Bool
  /// The variants in which the rows are laid out.
  private var variants: [Variant]
  private let reports = Reports()
  /// The hash of the program from which the tables that are shown were laid out.
  private var programHash: [UInt8]?
  private var watch: FileWatch
  /// Whether the rows have changed since they were laid out. An error of another file leaves it so.
  private var isOutdated = false
  /// The directory of the tables that were laid out here, and the number of times that they were.
  private var made: (directory: ViewDirectory, count: Int)?

  init(_ command: ViewCommand) throws {
    directory = command.directory
    rows = command.rows
    cells = command.cells
    watches = command.watch
    variants = try command.width.map { try command.device.variants($0) } ?? []
    watch = FileWatch([command.cells].compactMap { $0 } + command.rows)
  }

  /// Reports to a viewer from now on.
  func report(to viewer: ViewService) { reports.viewer.withLock { $0 = viewer } }

  // MARK: Content

  /// Returns what is shown at first. While a watched cells file has mistakes, it writes them and waits for a change.
  ///
  /// - Parameter sleep: A function that returns when the files are to be checked again.
  /// - Returns: nil if the program is interrupted meanwhile.
  func firstOrWait(_ sleep: () -> Void) throws -> Content? {
    while !Interruption.isRequested {
      do { return try first() } catch let error as CellsFileError
        where watches && FileManager.default.fileExists(atPath: error.path)
      {
        Messages.warning(
          "\(Program.message(of: error) ?? "\(error)")", details: ["waiting until \(error.path) is mended"])
        while !Interruption.isRequested, watch.check() == nil { sleep() }
      }
    }
    return nil
  }

  /// Returns what is shown at first.
  private func first() throws -> Content {
    guard let directory else { return try laidOut(try program()) }
    let run = try ViewedRun(directory)
    guard let cells else { return Content(run: run) }
    let program = try program()
    guard run.cellsHash == nil || run.cellsHash == "sha256:" + hexadecimal(program.hash) else {
      if watches {
        variants = try run.numberedVariants()
        return try laidOut(program)
      }
      let problem = ViewedProblem(
        "\(cells) is not the cells file of \(directory), or its fonts have changed: texts are not shown; lay out the rows "
          + "again, or use --watch")
      Messages.warning(problem.message)
      return Content(run: run, problem: problem)
    }
    if watches { variants = try run.numberedVariants() }
    programHash = program.hash
    return Content(run: run, texts: try texts(of: run, program.archive, isOwn: false))
  }

  private func program() throws -> (archive: OwnedBytes, hash: [UInt8]) {
    guard let cells else { throw RunFailure(message: "there is no cells file; give one with --cells FILE") }
    let archive = try CellsFile(cells).archive()
    return (archive, archive.withBytes { SHA256.hash($0) })
  }

  /// Lays out the rows and returns their tables.
  private func laidOut(_ program: (archive: OwnedBytes, hash: [UInt8])) throws -> Content {
    let begin = ContinuousClock.now
    let made = try self.made ?? (ViewDirectory(bytes: try RowsReader(rows).contentSize), 0)
    self.made = (made.directory, made.count + 1)
    let path = "\(made.directory.path)/\(made.count + 1)"
    try ViewLayout(rows: rows, archive: program.archive, programHash: program.hash, variants: variants).write(to: path)
    let run = try ViewedRun(path)
    let seconds = begin.duration(to: .now).seconds
    Messages.note("\(cells ?? ""): \(run.rowCount) rows laid out in \(String(format: "%.2f", seconds)) s")
    // The files are open and remain readable.
    ViewDirectory.remove(path)
    let texts = try texts(of: run, program.archive, isOwn: true)
    programHash = program.hash
    return Content(run: run, texts: texts)
  }

  /// Returns the texts of tables, whose rows are then found on a thread of their own.
  ///
  /// - Parameter isOwn: Whether the tables were just laid out from the rows.
  private func texts(of run: ViewedRun, _ archive: OwnedBytes, isOwn: Bool) throws -> ViewedTexts {
    let index = try RowsIndex(rows)
    let healsItself = watches && !isOwn
    let texts: ViewedTexts
    do throws(CellError) {
      texts = try ViewedTexts(run, rows: index, archive: archive) { [reports] problem in
        if healsItself { return reports.isOutdated.store(true, ordering: .relaxed) }
        Messages.warning(problem.message)
        reports.viewer.withLock { $0 }?.report(problem)
      }
    } catch {
      throw RunFailure(message: error.description)
    }
    Thread.detachNewThread { texts.findRows(comparing: healsItself) }
    return texts
  }

  // MARK: Changes

  /// Lays out the rows again if a file has changed. After an error the list stays as it is.
  func update(_ viewer: ViewService) {
    let changed = watch.check()
    let isReported = reports.isOutdated.exchange(false, ordering: .relaxed)
    guard changed != nil || isReported else { return }
    if isReported || changed != cells.map({ [$0] }) { isOutdated = true }
    do {
      let program = try program()
      if !isOutdated, program.hash == programHash { return viewer.reportGood() }
      let content = try laidOut(program)
      isOutdated = false
      viewer.show(content.run, texts: content.texts)
    } catch {
      let problem =
        (error as? CellsFileError).map { ViewedProblem($0) } ?? ViewedProblem(Program.message(of: error) ?? "\(error)")
      Messages.warning(problem.message)
      viewer.report(problem)
    }
  }
}

extension ViewedRun {
  /// Returns the numbers of all variants, by which the rows are laid out again.
  fileprivate func numberedVariants() throws -> [LayoutEngine.Variant] {
    try variants.map { variant in
      if let numbers = variant.numbers { return numbers }
      throw RunFailure(
        message: "\(variant.name) is no name of a variant, such as w390; rename the directory, or leave --watch out")
    }
  }
}
