import Buffers
import PoolProtocol

/// A batch whose program is on its way from its client.
struct ProgramFromClient {
  let submit: ClientMessage.Submit
  var assembly: ProgramAssembly
}
