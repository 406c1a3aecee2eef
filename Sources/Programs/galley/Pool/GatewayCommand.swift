import ArgumentParser
import GalleyWorker
import Gateway
import HTTPServing
import PoolSecurity
import Processes

struct GatewayCommand: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "gateway", abstract: "Lay out rows for clients of HTTP with a running coordinator.",
    discussion: """
      Example:
        galley gateway --connect ipc:///run/user/1000/galley \\
          --cells posts=posts.yaml
        curl --data-binary @posts.jsonl \\
          --header 'content-type: application/x-ndjson' \\
          'http://127.0.0.1:8080/v1/layouts?cells=posts&width=390'
      The root page is a dashboard of the pool; /openapi.json describes the routes.
      """)

  @OptionGroup var coordinator: CoordinatorOptions

  @Option(help: "The address to listen at. An address that other machines can reach needs --token-file.")
  var listen = ListenAddress(host: "127.0.0.1", port: 8080)

  @Option(
    help: ArgumentHelp(
      "A cells file or a pack, and the name by which requests state it. Can be repeated.", valueName: "name=file"),
    completion: .file())
  var cells: [NamedFile]

  @Option(
    help: "The file with the token that requests must state: one line of 16 to 4096 ASCII characters without spaces.",
    completion: .file())
  var tokenFile: String?

  @Option(
    help: ArgumentHelp(
      "An origin of web pages that may send requests (CORS), such as https://app.example.org, or * for any, which needs --token-file. Can be repeated.",
      valueName: "origin"))
  var allowOrigin: [String] = []

  @Option(help: "The number of bytes that the body of a request may have, such as 100MiB.")
  var bodyLimit = ByteSize(ServerLimits().bodyBytes)

  @Option(help: "The number of rows that a request may have.")
  var rowLimit: UInt64 = GatewayLimits().rows

  @Option(
    help: """
      The time that a request may take, such as 90s or 10m, and at most 3650d. (default: \(GatewayLimits().seconds / 60)m)
      """,
    transform: { try TimeSpan(argument: $0) })
  var timeLimit = TimeSpan(seconds: GatewayLimits().seconds)

  @OptionGroup var log: LogOptions

  static let isService = true

  func validate() throws {
    guard listen.isLoopback || tokenFile != nil else {
      throw ValidationError(
        "other machines can reach \(listen.defaultValueDescription): require a token (--token-file FILE), or listen at "
          + "127.0.0.1")
    }
    for origin in allowOrigin where !HTTPServer.isOrigin(origin) {
      throw ValidationError(
        "--allow-origin is \"\(origin)\", but must be an origin as browsers state it, such as https://app.example.org or "
          + "http://localhost:5173, without a path and without the port 80 of http or 443 of https; or * for any"
      )
    }
    guard tokenFile != nil || !allowOrigin.contains("*") else {
      throw ValidationError(
        "every page could lay out rows with --allow-origin '*': require a token (--token-file FILE)")
    }
    guard rowLimit > 0 else { throw ValidationError("--row-limit is at least 1") }
    var names: Set<String> = []
    for cells in cells where !names.insert(cells.name).inserted {
      throw ValidationError("--cells states the name \(cells.name) twice")
    }
  }

  func run() throws {
    Interruption.catchSignals()
    // The signal that makes a coordinator read its keys again does not end a gateway.
    Reload.catchSignal()
    let log = makeLog()
    var named = NamedCells()
    for file in cells {
      let warnings = try named.add(file.name, path: file.path)
      if warnings > 0 {
        let count = warnings == 1 ? "1 warning" : "\(warnings) warnings"
        log.warning("\(file.path) has \(count); galley check \(file.path) lists them")
      }
    }
    let token = try tokenFile.map { try BearerToken(file: $0) }
    // With --wait the gateway listens at once, and reports that there is no coordinator yet.
    if !coordinator.wait.wait { try coordinator.waitForCoordinator() }
    var limits = GatewayLimits()
    (limits.rows, limits.seconds) = (rowLimit, timeLimit.seconds)
    var serverLimits = ServerLimits()
    serverLimits.bodyBytes = bodyLimit.bytes
    serverLimits.responseMilliseconds = Int64(clamping: timeLimit.seconds) * 1000
    // Each request that is worked on needs some files besides its connection.
    serverLimits.connections = min(serverLimits.connections, OpenFiles.raiseLimit() / 2)
    let gateway = try LayoutService(
      endpoint: coordinator.connect, keys: try coordinator.keys.clientKeys(), cells: named, token: token, limits,
      log: log)
    if !coordinator.wait.wait { gateway.findCoordinator { Interruption.isRequested } }
    let server = try HTTPServer(
      host: listen.host, port: listen.port, allowedOrigins: Set(allowOrigin), serverLimits, counts: gateway.counts,
      onEnd: { gateway.noteEnd(of: $0, after: $1) }
    ) { gateway.handle($0) }
    if !listen.isLoopback {
      log.warning(
        "\(server.address) is not encrypted: put a proxy with TLS before it, or others can read the token and the rows")
    }
    log.info("listening at \(server.address)")
    try Results.print(server.address)
    try gateway.run {
      if Reload.take() {
        log.warning("SIGHUP has no effect: a gateway reads cells files and its token at the start; restart it")
      }
      return Interruption.isRequested
    }
    try server.stop()
  }
}

/// A file and the name by which requests state it, such as `posts=posts.yaml`.
struct NamedFile: ExpressibleByArgument {
  let name: String
  let path: String

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, parts[0].allSatisfy({ $0.isLetter || $0.isNumber || "-_.".contains($0) }) else {
      return nil
    }
    (name, path) = (parts[0], parts[1])
  }
}
