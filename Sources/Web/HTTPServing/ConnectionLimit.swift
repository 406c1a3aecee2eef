import NIOCore

/// The handler of a listening socket that accepts no connection while there are as many as permitted.
final class ConnectionLimit: ChannelDuplexHandler {
  typealias InboundIn = any Channel
  typealias OutboundIn = NIOAny

  private let limit: Int
  private var connections = 0
  /// Whether the event loop wants to accept a connection while there is no room for it.
  private var isReadPending = false

  init(_ limit: Int) { self.limit = limit }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    connections += 1
    let this = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    unwrapInboundIn(data).closeFuture.hop(to: context.eventLoop).whenComplete { _ in
      let (limit, context) = this.value
      limit.endConnection(context)
    }
    context.fireChannelRead(data)
  }

  func read(context: ChannelHandlerContext) {
    if connections < limit { context.read() } else { isReadPending = true }
  }

  private func endConnection(_ context: ChannelHandlerContext) {
    connections -= 1
    guard isReadPending else { return }
    isReadPending = false
    context.read()
  }
}
