import BatchLayout
import Buffers
import CellTemplates
import CellsFiles
import LayoutEngine
import PoolClient
import PoolProtocol

/// The cells files of a gateway by the names that requests state.
public struct NamedCells: Sendable {
  private struct Cells: Sendable {
    let hash: ProgramID
    /// A copy, because font files may change while the gateway runs.
    let program: OwnedBytes
  }

  /// The names in the order in which they were given.
  public private(set) var names: [String] = []
  private var cells: [String: Cells] = [:]

  public init() {}

  /// Reads a cells file or a pack. Returns the number of its warnings.
  ///
  /// - Throws: `CellsFileError`.
  public mutating func add(_ name: String, path: String) throws(CellsFileError) -> Int {
    let program = try KnownProgram(path, cache: nil)
    if cells[name] == nil { names.append(name) }
    cells[name] = Cells(hash: program.hash, program: OwnedBytes(joining: try program.parts()))
    return program.warnings
  }

  /// Returns the request for a batch, or nil if there are no cells of the name.
  func request(_ name: String, _ variants: [Variant], input: String) -> BatchRequest? {
    cells[name].map { cells in
      var request = BatchRequest(
        programHash: cells.hash, read: { [cells.program] }, variants: variants, input: input)
      request.isPartial = true
      return request
    }
  }
}
