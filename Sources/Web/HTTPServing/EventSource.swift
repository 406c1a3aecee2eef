import NIOCore
import NIOHTTP1
import Synchronization

/// A source of server-sent events (HTML Standard, section 9.2), which all its clients receive.
public final class EventSource: Sendable {
  /// An event as the text that a client receives.
  public struct Event: Sendable {
    fileprivate let text: String

    /// - Parameters:
    ///   - type: The name of the event's type.
    ///   - id: A text without line ends by which the client knows the event.
    public init(_ data: String, type: String? = nil, id: String? = nil) {
      let name = (type.map { "event: \($0)\n" } ?? "") + (id.map { "id: \($0)\n" } ?? "")
      let lines = data.split(separator: "\n", omittingEmptySubsequences: false)
      text = name + lines.map { "data: \($0)\n" }.joined() + "\n"
    }
  }

  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    /// The short forms of the events before the last ones, which a new client receives first.
    var past: [Event] = []
    /// The last events, which a new client receives next, with their short forms.
    var history: [(event: Event, past: Event?)] = []
  }

  private let state = Mutex(State())
  private let historyCount: Int
  private let pastCount: Int

  /// - Parameters:
  ///   - history: The number of the last events that a new client receives.
  ///   - past: The number of the short forms of earlier events that a new client receives before those.
  public init(history: Int, past: Int = 0) { (historyCount, pastCount) = (history, past) }

  /// Sends an event to all clients. A client that has not yet received the previous one misses it.
  ///
  /// - Parameter past: The short form that stands for the event when it is no longer one of the last events. Without it, new
  ///   clients then do not receive the event.
  public func send(_ event: Event, past: Event? = nil) {
    let text = event.text
    let channels = state.withLock { state in
      state.history.append((event, past))
      if state.history.count > historyCount, let short = state.history.removeFirst().past {
        state.past.append(short)
        if state.past.count > pastCount { state.past.removeFirst() }
      }
      return Array(state.channels.values)
    }
    for channel in channels {
      // On the event loop the event comes behind the history, which `add` sends there.
      channel.eventLoop.execute { if channel.isWritable { Self.send(text, to: channel) } }
    }
  }

  /// Sends an event without a short form.
  public func send(_ data: String, event: String? = nil) { send(Event(data, type: event)) }

  public var clients: Int { state.withLock { $0.channels.count } }

  /// Adds a client, and sends the last events to it. It is called on the client's event loop.
  func add(_ channel: any Channel) {
    let history = state.withLock { state in
      state.channels[ObjectIdentifier(channel)] = channel
      return (state.past + state.history.map(\.event)).map(\.text).joined()
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
