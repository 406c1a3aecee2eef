/// The bounds that apply to every process of a pool.
public enum ProtocolLimits {
  /// Bytes of a part of a message.
  public static let partBytes: Int64 = 256 << 20
  /// Bytes of memory for the incomplete and waiting messages of all connections of a coordinator: the largest part, with a
  /// margin.
  public static let unreceivedBytes = 320 << 20
  /// Bytes of an envelope.
  public static let envelopeBytes = 256 << 10
  /// Bytes of a program, which is a cells file with its fonts.
  public static let programBytes = 1 << 30
  /// Bytes of the programs of all batches together.
  public static let programBytesOfAll = 4 << 30
  /// Bytes of all programs together that clients are sending.
  public static let uploadBytes = 2 << 30
  /// Bytes of a program in one message, and bytes of a program that are in transit at a time.
  public static let programPartBytes = 64 << 10
  public static let programWindow = 1 << 20
  /// Bytes of a program after which its receiver requests further ones. The requests also show that a slow connection carries it.
  public static let programStep = 128 << 10
  /// Bytes of the columns of one variant that a worker sends.
  public static let columnBytes = 64 << 20
  /// Parts of a message: an identity, an envelope, and lines or the columns of each variant.
  public static let parts = 272
  /// Variants of a batch.
  public static let variants = 256
  /// Programs that a worker keeps ready.
  public static let programsOfWorker = 4
  /// Jobs that a worker can have at a time.
  public static let jobsOfWorker = 8
  /// Runs of rows in one message of results.
  public static let runsOfMessage = 100
  /// Batches that a status lists: the oldest.
  public static let batchesOfStatus = 200
  /// Bytes of the name of a machine.
  public static let hostBytes = 64
  /// Bytes of the name of an input of rows, which is for people.
  public static let inputBytes = 256
  /// Bytes of the name of a file of rows, which is a part of the errors of rows: as many as a path can have.
  public static let fileBytes = 4096
  /// Bytes of a version, of the name of a batch, and of a hash.
  public static let nameBytes = 128
  /// Bytes of a reason for an error.
  public static let reasonBytes = 4096
  /// Bytes of a reason in a status.
  public static let waitingBytes = 256
  /// The largest width, text scale or scale of a variant that is not yet checked.
  public static let variantLimit = 1e9
  /// The largest number of rows per second in a status.
  public static let rateLimit = 1e15
  /// The largest number of seconds in a status.
  public static let timeLimit = 1e15
  /// Bytes of lines of a chunk.
  public static let chunkBytes = 1 << 20
}
