import Buffers
import PoolProtocol

/// A batch whose client is sending the program.
struct ProgramFromClient {
  let submit: ClientMessage.Submit
  var assembly: ProgramAssembly
}
