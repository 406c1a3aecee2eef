import ArgumentParser
import BatchLayout
import CellsFiles
import Foundation
import GalleyWorker
import HTTPServing
import LayoutEngine
import Processes
import RowsFiles
import Viewer

struct ViewCommand: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "view",
    abstract: "Show the tables of a run as a list in a browser.",
    discussion: """
      Examples:
        galley view tables --open
        galley view tables --rows posts.jsonl --cells posts.yaml
        galley view --rows posts.jsonl --cells posts.yaml --width 320,390 --watch
      The first line on standard output is the address of the page. Ctrl-C ends the program.
      """)

  @Argument(
    help: "The directory of a run, or of one of its variants. Without it, the rows are laid out at first.",
    completion: .directory)
  var directory: String?

  @Option(
    parsing: .upToNextOption,
    help: "The files of the rows, whose texts are then shown; - is standard input.", completion: .file())
  var rows: [String] = []

  @Option(help: "The cells file of the rows, or a pack of galley pack.", completion: .file())
  var cells: String?

  @Option(
    help: "The widths of the list in points, if the rows are not laid out yet.",
    transform: VariantOptions.reading(WidthList.init))
  var width: WidthList?

  @OptionGroup var device: DeviceOptions

  @Option(help: "The address at which the page is served. Port 0 is any that is free.")
  var listen = ListenAddress(host: "127.0.0.1", port: 0)

  @Flag(help: "Open the page in a browser.")
  var open = false

  @Flag(help: "Load the images of the rows, wherever they are.")
  var images = false

  @Flag(
    help: ArgumentHelp(
      "Lay out the rows again whenever the cells file or the rows change.",
      discussion: "While the cells file has mistakes at the start, the program waits until it is mended."))
  var watch = false

  @Option(help: "The directory of an earlier run, with which the list is compared.", completion: .directory)
  var base: String?

  @Option(
    help: ArgumentHelp(
      #"Simulate the scroll of this file, with lines such as {"t": 0.5, "offset": 300}."#, valueName: "file"),
    completion: .file())
  var replay: String?

  @OptionGroup var connection: ReplayConnectionOptions

  @OptionGroup var log: LogOptions

  func validate() throws {
    guard listen.isLoopback else {
      throw ValidationError(
        "--listen is \(listen.defaultValueDescription): the page has no password, so that it is served only to this machine; listen at "
          + "127.0.0.1:8080, and reach it from another machine by an SSH tunnel: "
          + "ssh -L 8080:127.0.0.1:8080 \(HostName.current)")
    }
    guard rows.isEmpty == (cells == nil) else {
      throw ValidationError(
        rows.isEmpty ? "--cells needs the rows: --rows FILE" : "--rows needs the cells file of the rows: --cells FILE")
    }
    if rows.isEmpty {
      if watch { throw ValidationError("--watch needs --rows and --cells, which it lays out again") }
      guard directory != nil else {
        throw ValidationError("give the directory of a run, or rows to lay out: --rows FILE --cells FILE --width 390")
      }
    }
    if directory == nil, width == nil { throw ValidationError("Missing expected argument '--width <width>'") }
    if directory != nil, let option = width != nil ? "--width" : device.firstGiven {
      throw ValidationError("\(option) is for rows without a directory; \(directory ?? "") has its own variants")
    }
    if watch || directory == nil,
      let path = rows.first(where: { $0 == "-" || FileIdentity(path: $0)?.isRegularFile == false })
    {
      throw ValidationError(
        "\(RowsReader.name(of: [path])) cannot be read twice, to lay out the rows and to show them; give a "
          + "regular file")
    }
    if replay == nil, let option = connection.firstGiven { throw ValidationError("\(option) is for --replay") }
    _ = try connection.connection()
  }

  func run() throws {
    Interruption.catchSignals()
    let source = try ViewSource(self)
    var options = ViewService.Options()
    options.loadsImages = images
    options.watches = watch
    options.base = try base.map { try ViewedRun($0) }
    options.replay = try replay.map {
      ViewedReplay(try PrefetchScroll.lines(of: try PrefetchInput($0)), try connection.connection())
    }
    guard let first = try source.firstOrWait({ usleep(Self.pollMicroseconds) }) else { return }
    for remark in first.run.remarks { Messages.warning(remark) }
    if let base, let earlier = options.base,
      !first.run.variants.contains(where: { earlier.variant(named: $0.name) != nil })
    {
      let names = first.run.variants.map(\.name)
      Messages.warning("--base has no effect: \(base) has no \(Manifest.list(names)) to compare with")
    }
    let viewer = ViewService(
      first.run, texts: first.texts, problem: first.problem, options, revision: Int(clamping: Clock.sinceEpoch()))
    source.report(to: viewer)
    let server = try HTTPServer(host: listen.host, port: listen.port) { viewer.reply(to: $0) }
    try Results.print(server.address)
    if open { Browser.open(server.address) }
    while !Interruption.isRequested {
      usleep(Self.pollMicroseconds)
      if watch { source.update(viewer) }
    }
    try server.stop()
  }

  /// The time between two checks for changes and signals.
  private static let pollMicroseconds: UInt32 = 20_000
}
