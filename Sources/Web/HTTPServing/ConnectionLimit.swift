import NIOCore
import Synchronization

/// The handler of a listening socket that accepts no connection while there are as many as permitted.
final class ConnectionLimit: ChannelDuplexHandler {
  typealias InboundIn = any Channel
  typealias OutboundIn = NIOAny

  private let limit: Int
  private let state = State()

  /// What the event loops of the connections change.
  private final class State: Sendable {
    let connections = Atomic<Int>(0)
    /// Whether the event loop wants to accept a connection while there is no room for it.
    let isReadPending = Atomic<Bool>(false)
  }

  init(_ limit: Int) { self.limit = limit }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    state.connections.add(1, ordering: .relaxed)
    let channel = context.channel
    unwrapInboundIn(data).closeFuture.whenComplete { [state] _ in
      state.connections.subtract(1, ordering: .sequentiallyConsistent)
      if state.isReadPending.exchange(false, ordering: .sequentiallyConsistent) { channel.read() }
    }
    context.fireChannelRead(data)
  }

  func read(context: ChannelHandlerContext) {
    if state.connections.load(ordering: .sequentiallyConsistent) < limit { return context.read() }
    state.isReadPending.store(true, ordering: .sequentiallyConsistent)
    // A connection may have ended in between.
    if state.connections.load(ordering: .sequentiallyConsistent) < limit,
      state.isReadPending.exchange(false, ordering: .sequentiallyConsistent)
    {
      context.read()
    }
  }
}
