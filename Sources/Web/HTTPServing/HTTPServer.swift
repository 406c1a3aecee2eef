import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A server of HTTP/1.1. It bounds what clients can make it keep, and refuses requests from the pages of other sites, unless their
/// origins are allowed.
public final class HTTPServer: Sendable {
  /// The address cannot be listened at.
  public struct ListenError: Error {
    public let reason: String
  }

  /// A function that is called with each request and the nanoseconds from its head to the last byte of its response, or
  /// to the end of its connection. Without a request, what was received was none.
  public typealias EndHandler = @Sendable (HTTPRequest?, UInt64) -> Void

  /// What a server and its connections share.
  final class Core: Sendable {
    let limits: ServerLimits
    let counts: ServerCounts
    private let handler: @Sendable (HTTPRequest) -> HTTPReply
    /// Called when the response to a request was sent, or its connection has ended.
    let onEnd: EndHandler
    private let origin: SameOrigin
    /// The threads that work on requests, and the number of requests that they work on or that wait for them.
    private let threads: NIOThreadPool
    private let capacity: Int
    private let collectedBytes = Atomic<Int>(0)
    private let streams = Atomic<Int>(0)
    let stopping = Atomic<Bool>(false)
    /// The connections that are open.
    private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

    init(
      _ limits: ServerLimits, _ counts: ServerCounts, _ origin: SameOrigin, onEnd: @escaping EndHandler,
      _ handler: @escaping @Sendable (HTTPRequest) -> HTTPReply
    ) {
      (self.limits, self.counts) = (limits, counts)
      (self.handler, self.onEnd) = (handler, onEnd)
      self.origin = origin
      threads = NIOThreadPool(numberOfThreads: limits.workers)
      capacity = limits.workers + limits.waiting
      threads.start()
    }

    var isStopping: Bool { stopping.load(ordering: .relaxed) }

    func open(_ channel: any Channel) {
      counts.openConnection()
      channels.withLock { $0[ObjectIdentifier(channel)] = channel }
    }

    func close(_ channel: any Channel) {
      counts.closeConnection()
      channels.withLock { $0[ObjectIdentifier(channel)] = nil }
    }

    /// Reports an event to all connections.
    func report(_ event: Connection.ServerEvent) {
      let open = channels.withLock { Array($0.values) }
      for channel in open { channel.pipeline.fireUserInboundEventTriggered(event) }
    }

    func refusal(of request: HTTPRequest) -> Problem? {
      if let problem = origin.refusal(of: request) { return problem }
      if isStopping && request.hasBody { return .stopped }
      // The decoder removes this coding alone (RFC 9112, 6.1).
      if let coding = request.header("transfer-encoding"), coding.lowercased() != "chunked" {
        return .unknownTransferCoding(coding)
      }
      return (request.bodySize ?? 0) > limits.bodyBytes ? .tooLarge(limits.bodyBytes) : nil
    }

    func handle(_ request: HTTPRequest) -> HTTPReply {
      origin.preflight(request).map { .response($0) } ?? handler(request)
    }

    /// Returns the headers that every response to a request has.
    func headers(of request: HTTPRequest?) -> [(name: String, value: String)] {
      [("x-content-type-options", "nosniff")] + origin.headers(of: request)
    }

    /// Reserves a place for a request. Returns false if there is none.
    ///
    /// - Parameter isStream: Whether its body comes while it is worked on. Some workers are left to other requests.
    func reserve(isStream: Bool) -> Bool {
      let isWithin = !isStream || streams.add(1, ordering: .relaxed).newValue <= max(1, limits.workers * 3 / 4)
      if isWithin && counts.beginWork(capacity: capacity) { return true }
      if isStream { streams.subtract(1, ordering: .relaxed) }
      return false
    }

    /// Gives a place back.
    func release(isStream: Bool) {
      if isStream { streams.subtract(1, ordering: .relaxed) }
      counts.endWork(capacity: capacity)
    }

    /// Reserves room for a body. Returns false if there is none.
    func collect(_ bytes: Int) -> Bool {
      guard collectedBytes.add(bytes, ordering: .relaxed).newValue <= ServerLimits.collectedBytesOfAll else {
        collectedBytes.subtract(bytes, ordering: .relaxed)
        return false
      }
      return true
    }

    func release(collected bytes: Int) { collectedBytes.subtract(bytes, ordering: .relaxed) }

    /// Does work in a place that was reserved.
    func perform(_ work: @escaping Exchange.Work, _ body: RequestBody, _ response: ResponseStream, isStream: Bool) {
      threads.submit { state in
        if state == .active {
          work(body, response)
          response.endWork()
        }
        self.release(isStream: isStream)
      }
    }

    /// Ends the threads when they have ended their work.
    func stop() throws { try threads.syncShutdownGracefully() }
  }

  /// The numbers of bytes that are received at once: long bodies in large blocks.
  private static let receiving = AdaptiveRecvByteBufferAllocator(minimum: 2048, initial: 8192, maximum: 256 << 10)

  private let core: Core
  private let group: MultiThreadedEventLoopGroup
  private let channel: any Channel
  /// The address of the server, such as `http://127.0.0.1:8080`.
  public let address: String

  /// Listens at an address.
  ///
  /// - Parameters:
  ///   - host: A name or an address.
  ///   - port: A port; 0 for any that is free.
  ///   - allowedOrigins: The origins of other sites whose pages may send requests, such as `https://app.example.org`; `*` is any.
  ///   - counts: The counts to which the server adds.
  ///   - onEnd: A function that is called on an event loop when a request has ended.
  ///   - handler: A function that returns what is done with a request. It is called on an event loop, which it must not
  ///     block.
  /// - Throws: `ListenError`.
  public init(
    host: String, port: Int, allowedOrigins: Set<String> = [], _ limits: ServerLimits = ServerLimits(),
    counts: ServerCounts = ServerCounts(),
    onEnd: @escaping EndHandler = { _, _ in }, handler: @escaping @Sendable (HTTPRequest) -> HTTPReply
  ) throws(ListenError) {
    let core = Core(
      limits, counts, SameOrigin(isLoopback: Self.isLoopback(host), allowed: allowedOrigins), onEnd: onEnd, handler)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: min(System.coreCount, 4))
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 1024)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      // More at once could be more than permitted.
      .serverChannelOption(.maxMessagesPerRead, value: 1)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(ConnectionLimit(limits.connections))
        }
      }
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(.recvAllocator, value: Self.receiving)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          // A connection keeps the order of requests and responds to malformed ones itself.
          try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false)
          try channel.pipeline.syncOperations.addHandler(Connection(core))
        }
      }
    do { channel = try bootstrap.bind(host: host, port: port).wait() } catch {
      throw ListenError(reason: "cannot listen at \(host):\(port): \(Self.reason(of: error))")
    }
    self.core = core
    self.group = group
    let name = host.contains(":") ? "[\(host)]" : host
    address = "http://\(name):\(channel.localAddress?.port ?? port)"
  }

  /// Returns whether a text is an origin of pages, such as `https://app.example.org`, or `*` for any.
  public static func isOrigin(_ text: String) -> Bool { text == SameOrigin.any || SameOrigin.isOrigin(text) }

  /// Returns whether a host is this machine itself.
  public static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
  }

  private static func reason(of error: any Error) -> String {
    (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
  }

  /// Accepts no further connections, and returns when the requests under way have their responses, or after some time. Connections
  /// whose responses are not complete then are reset.
  public func stop() throws {
    guard !core.stopping.exchange(true, ordering: .relaxed) else { return }
    try channel.close().wait()
    core.report(.stopping)
    let deadline = ContinuousClock.now + .milliseconds(core.limits.stopMilliseconds)
    while core.counts.values.requests > 0, ContinuousClock.now < deadline { usleep(10_000) }
    // A thread may wait for a client that takes its response slowly.
    core.report(.ended)
    try core.stop()
    try group.syncShutdownGracefully()
  }
}
