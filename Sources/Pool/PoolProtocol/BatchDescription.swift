import LayoutEngine

/// The description of a batch without its rows: its program, variants and options.
public struct BatchDescription: Equatable, Sendable {
  public var program: ProgramID
  public var variants: [Variant]
  /// Batches of a higher priority are served first.
  public var priority: Int32
  /// The name of the input of rows, for people.
  public var input: String
  /// Whether the client of a kept batch sends its rows again when it resumes the batch, so that the coordinator does not store
  /// them.
  public var resendsRows: Bool
  /// The random number that identifies the client that submitted the batch; zero for none. The journal contains it, because the
  /// coordinator can end before the client has received the name of the batch.
  public var session: UInt64
  /// The name of the key with which the batch was submitted, which the coordinator adds; empty if there was none.
  public var owner = ""

  public init(
    program: ProgramID, variants: [Variant], priority: Int32 = 0, input: String = "", resendsRows: Bool = false,
    session: UInt64 = 0
  ) {
    self.program = program
    self.variants = variants
    self.priority = priority
    self.input = input
    self.resendsRows = resendsRows
    self.session = session
  }
}

/// The position of a run of whole lines in a batch.
public struct LinesHeader: Equatable, Sendable {
  /// The number of the first line in its file, from 1.
  public var firstLine: UInt64
  /// The index of the first row in the batch.
  public var firstRow: UInt64
  public var rows: UInt32
  /// The name of the file of the lines, if the batch has several files; otherwise empty.
  public var file: String

  public init(firstLine: UInt64, firstRow: UInt64, rows: UInt32, file: String = "") {
    self.firstLine = firstLine
    self.firstRow = firstRow
    self.rows = rows
    self.file = file
  }

  /// The index of the row after the last one.
  public var endRow: UInt64 { firstRow &+ UInt64(rows) }
}
