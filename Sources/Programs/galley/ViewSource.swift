import BatchLayout
import Buffers
import CellTemplates
import CellsFiles
import Foundation
import Hashing
import ListTables
import RowsFiles
import Synchronization
import Viewer

/// The tables and texts that `galley view` shows, and the files from which it makes them.
final class ViewSource: Sendable {
  /// What is shown at first.
  struct Content {
    let run: ViewedRun
    var texts: ViewedTexts?
    /// The reason why there are no texts.
    var problem: ViewedProblem?
  }

  private let directory: String?
  private let rows: [String]
  private let cells: String?
  private let variants: [Variant]
  /// The viewer, which is told of rows that are not those of the tables.
  let viewer = Mutex<Viewer?>(nil)

  init(_ command: ViewCommand) throws {
    directory = command.directory
    rows = command.rows
    cells = command.cells
    variants = try command.variants.variants()
  }

  /// Returns what is shown at first.
  func first() throws -> Content {
    guard let directory else { throw RunFailure(message: "not yet") }
    var content = Content(run: try ViewedRun(directory))
    guard let cells else { return content }
    let archive = try CellsFile(cells).archive()
    let hash = archive.withBytes { "sha256:" + hexadecimal(SHA256.hash(UnsafeRawBufferPointer($0.bytes))) }
    guard content.run.cellsHash == nil || content.run.cellsHash == hash else {
      let problem = ViewedProblem(
        "\(cells) is not the cells file of \(directory), or its fonts have changed: texts are not shown; lay out the rows "
          + "again, or use --watch")
      Messages.warning(problem.message)
      content.problem = problem
      return content
    }
    content.texts = try texts(of: content.run, archive)
    return content
  }

  /// Returns the texts of tables, whose rows are then found on a thread of their own.
  private func texts(of run: ViewedRun, _ archive: ByteBlock) throws -> ViewedTexts {
    let index = try RowsIndex(rows)
    let texts: ViewedTexts
    do throws(CellError) {
      texts = try ViewedTexts(run, rows: index, archive: archive) { [self] problem in
        Messages.warning(problem.message)
        viewer.withLock { $0 }?.report(problem)
      }
    } catch {
      throw RunFailure(message: error.description)
    }
    Thread.detachNewThread { texts.findRows() }
    return texts
  }

  func update(_ viewer: Viewer) {}
}
