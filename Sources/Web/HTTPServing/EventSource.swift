import NIOCore
import NIOHTTP1
import Synchronization

/// A source of server-sent events (HTML Standard, section 9.2), which all its clients receive.
public final class EventSource: Sendable {
  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    /// The last events, which a new client receives first.
    var history: [String] = []
  }

  private let state = Mutex(State())
  private let historyCount: Int

  /// - Parameter history: The number of the last events that a new client receives.
  public init(history: Int) { historyCount = history }

  /// Sends an event to all clients. A client that has not yet received the previous one misses it.
  ///
  /// - Parameter id: A text without line ends by which the client knows the event.
  public func send(_ data: String, event: String? = nil, id: String? = nil) {
    let name = (event.map { "event: \($0)\n" } ?? "") + (id.map { "id: \($0)\n" } ?? "")
    let text =
      name + data.split(separator: "\n", omittingEmptySubsequences: false).map { "data: \($0)\n" }.joined() + "\n"
    let channels = state.withLock { state in
      state.history.append(text)
      if state.history.count > historyCount { state.history.removeFirst(state.history.count - historyCount) }
      return Array(state.channels.values)
    }
    for channel in channels {
      // On the event loop the event comes behind the history, which `add` sends there.
      channel.eventLoop.execute { if channel.isWritable { Self.send(text, to: channel) } }
    }
  }

  /// The number of clients.
  public var clients: Int { state.withLock { $0.channels.count } }

  /// Adds a client, and sends the last events to it. It is called on the client's event loop.
  func add(_ channel: any Channel) {
    let history = state.withLock { state in
      state.channels[ObjectIdentifier(channel)] = channel
      return state.history.joined()
    }
    // Not within the lock: a connection that cannot be written to ends at once, which removes the client.
    Self.send(": connected\n\n" + history, to: channel)
  }

  func remove(_ channel: any Channel) {
    _ = state.withLock { $0.channels.removeValue(forKey: ObjectIdentifier(channel)) }
  }

  private static func send(_ text: String, to channel: any Channel) {
    channel.writeAndFlush(
      HTTPServerResponsePart.body(.byteBuffer(channel.allocator.buffer(string: text))), promise: nil)
  }
}
