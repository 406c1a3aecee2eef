import Buffers
import PoolProtocol

/// A batch whose program is on its way from its client.
struct ProgramUpload {
  let submit: ClientMessage.Submit
  var assembly: ProgramAssembly
}
