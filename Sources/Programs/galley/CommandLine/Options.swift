import ArgumentParser
import BatchLayout
import Buffers
import Foundation
import GalleyWorker
import LayoutEngine
import PoolClient
import Processes
import ZeroMQ

/// A list of numbers, such as `320,390,430`.
struct NumberList: ExpressibleByArgument {
  let numbers: [Double]

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map {
      Double($0.trimmingCharacters(in: .whitespaces))
    }
    guard !parts.isEmpty, !parts.contains(where: { $0 == nil }) else { return nil }
    numbers = parts.compactMap { $0 }
  }

  init(_ numbers: Double...) { self.numbers = numbers }

  var defaultValueDescription: String { numbers.map(shortText).joined(separator: ",") }
}

extension TextSize {
  static let help: ArgumentHelp =
    "The text sizes of iOS at which fonts can state other sizes, such as L,AX1. (default: the plain sizes)"
}

extension CompletionKind {
  /// The names of the values of a type, which shells complete.
  static func names<Value: NamedValue>(of type: Value.Type) -> CompletionKind { .list(Value.allCases.map(\.name)) }
}

/// The options that state the properties of devices and of their users: all of a variant beside its width.
struct DeviceOptions: ParsableArguments {
  @Option(help: "The factors of font sizes and line heights, such as 1,1.35. (default: 1)")
  var textScale: NumberList?

  @Option(
    help: "The device pixels per point, such as 2 or 2,3. (default: 2; android, reactNative and compose need a scale)")
  var scale: NumberList?

  @Option(
    help: "The platforms whose texts and rounding the layout follows, such as texture,android. (default: texture)",
    completion: .names(of: Platform.self), transform: VariantOptions.reading(Platform.listed))
  var platform: [Platform]?

  @Option(
    help: TextSize.help, completion: .names(of: TextSize.self), transform: VariantOptions.reading(TextSize.listed))
  var textSize: [TextSize]?

  @Option(
    help: "The directions of the list, such as rtl or ltr,rtl. (default: ltr)",
    completion: .names(of: LayoutDirection.self), transform: VariantOptions.reading(LayoutDirection.listed))
  var layoutDirection: [LayoutDirection]?

  /// The name of an option that is given, or nil if none is.
  var firstGiven: String? {
    [
      ("--text-scale", textScale != nil), ("--scale", scale != nil), ("--platform", platform != nil),
      ("--text-size", textSize != nil), ("--layout-direction", layoutDirection != nil),
    ].first { $0.1 }?.0
  }

  /// Returns the combinations of platforms, text sizes, widths, text scales, scales and directions.
  ///
  /// - Parameter hasLines: Whether the results have the lines of texts.
  /// - Throws: `ValidationError` if one is out of range, or if there are too many.
  func variants(_ width: WidthList, hasLines: Bool = false) throws -> [Variant] {
    try VariantOptions.checking { () throws(VariantError) in
      try Variant.combinations(
        widths: width.numbers, textScales: textScale?.numbers ?? [1], scales: scale?.numbers,
        platforms: platform ?? [.texture], textSizes: textSize, layoutDirections: layoutDirection ?? [.ltr],
        hasLines: hasLines)
    }
  }
}

/// The options that state the variants.
struct VariantOptions: ParsableArguments {
  @Option(
    help: "The widths of the list in points, such as 390 or 320,390 or 320-430 (every point) or 320-430/10.",
    transform: VariantOptions.reading(WidthList.init))
  var width: WidthList

  @OptionGroup var device: DeviceOptions

  /// - Parameter hasLines: Whether the results have the lines of texts.
  func variants(hasLines: Bool = false) throws -> [Variant] { try device.variants(width, hasLines: hasLines) }

  /// Returns a function that reads the value of an option.
  static func reading<Value>(
    _ read: @escaping @Sendable (String) throws(VariantError) -> Value
  ) -> @Sendable (String) throws -> Value {
    { text in try checking { () throws(VariantError) in try read(text) } }
  }

  /// Returns what `body` returns, and turns its error into a `ValidationError`.
  static func checking<Result>(_ body: () throws(VariantError) -> Result) throws -> Result {
    do throws(VariantError) { return try body() } catch { throw ValidationError(error.message) }
  }
}

/// The options that state the rows and the cells file.
struct InputOptions: ParsableArguments {
  @Argument(
    help: "Files of rows as JSON Lines, optionally compressed with gzip or zstd, or - for standard input.",
    completion: .file())
  var rows: [String]

  @Option(help: "The cells file, YAML or JSON, or a pack of galley pack.", completion: .file())
  var cells: String
}

/// The option that adds the lines of texts to the results.
struct LinesOption: ParsableArguments {
  @Flag(help: "Also write the lines of texts, to lines.arrow and texts.arrow or to the columns of the stream.")
  var lines = false
}

/// What is written of the results.
enum ColumnChoice: String, ExpressibleByArgument, CaseIterable {
  case all
  /// Everything but frames.
  case heights
}

/// The options of the tables and of the summary.
struct TableOptions: ParsableArguments {
  /// The output that stands for the stream on standard output.
  static let stream = "-"

  @Option(
    help: ArgumentHelp(
      "The directory for the tables, which must not exist, or - to write one Arrow stream to standard output.",
      discussion: "The stream has the results of rows as soon as no more input is waiting."), completion: .directory)
  var output: String?

  @Option(
    help: "What is written; heights leaves out frames. Its environment variable is GALLEY_TABLE_COLUMNS. (default: all)"
  )
  var columns: ColumnChoice?

  @Option(help: "The pixels per point of the images to fetch, where they differ from --scale.")
  var imageScale: Double?

  @Flag(help: "Replace the tables of an earlier run.")
  var force = false

  @Flag(help: "Fail at the first bad row.")
  var strict = false

  @Flag(help: "Print the manifest instead of a summary.")
  var json = false

  @OptionGroup var log: LogOptions

  /// Whether the results are written as a stream to standard output.
  var isStream: Bool { output == Self.stream }

  /// Returns the output directory, or `-` for a stream.
  ///
  /// - Throws: `ValidationError` if there is no `--output`, or if other options do not fit to it.
  func directory() throws -> String {
    guard let output, !output.isEmpty else { throw ValidationError("Missing expected argument '--output <output>'") }
    if let imageScale, !(imageScale > 0 && imageScale <= Variant.scaleLimit) {
      throw ValidationError(
        "--image-scale \(imageScale) is not a number of pixels above 0 and up to \(Variant.scaleLimit)")
    }
    guard isStream else { return output }
    if force { throw ValidationError("--output - replaces no tables; leave out --force") }
    if json { throw ValidationError("--output - writes the stream to standard output; leave out --json") }
    if StandardStream.output.isTerminal {
      throw ValidationError("--output - writes binary data; send it to a program or a file: … --output - > rows.arrows")
    }
    return output
  }
}

/// The options that state the coordinator.
struct CoordinatorOptions: ParsableArguments {
  @Option(help: "The endpoint of the coordinator.")
  var connect: String

  @OptionGroup var keys: ClientKeyOptions

  @OptionGroup var wait: WaitOption

  func validate() throws { try WaitOption.check(endpoint: connect) }

  func waitForCoordinator() throws { try wait.waitForCoordinator(at: connect, keys: keys) }

  /// The function that writes the warnings of a client that waits; nil for other clients, which fail instead.
  var warn: ((String) -> Void)? { wait.wait ? { Messages.warning($0) } : nil }

  /// Returns a client that is connected to the coordinator.
  ///
  /// - Throws: `ZeroMQError` if there is none, and the user does not want to wait.
  func client() throws -> BatchClient {
    try waitForCoordinator()
    let client = try BatchClient(try Context(), endpoint: connect, keys: try keys.clientKeys(), warn: warn)
    client.onPause = { reason in
      Messages.warning("the coordinator \(reason.map { "pauses the batch: \($0)" } ?? "goes on with the batch")")
    }
    return client
  }
}
