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
  /// Whether the results are a part of what only the client can make: of tables, whose other rows are those of an earlier run, or of
  /// the response to a request of a gateway.
  public var isPartial: Bool
  /// The random number that identifies the client that submitted the batch; zero for none. The journal contains it, because the
  /// coordinator can end before the client has received the name of the batch.
  public var session: UInt64
  /// The name of the key with which the batch was submitted, which the coordinator adds; empty if there was none.
  public var owner = ""

  public init(
    program: ProgramID, variants: [Variant], priority: Int32 = 0, input: String = "", resendsRows: Bool = false,
    isPartial: Bool = false, session: UInt64 = 0
  ) {
    self.program = program
    self.variants = variants
    self.priority = priority
    self.input = input
    self.resendsRows = resendsRows
    self.isPartial = isPartial
    self.session = session
  }
}
