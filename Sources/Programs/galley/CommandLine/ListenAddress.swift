import ArgumentParser
import HTTPServing

/// An address for HTTP, such as `127.0.0.1:8080`, `[::1]:8080` or `0.0.0.0:8080`.
struct ListenAddress: ExpressibleByArgument {
  let host: String
  /// The port; 0 for any that is free.
  let port: Int

  init(host: String, port: Int) { (self.host, self.port) = (host, port) }

  init?(argument: String) {
    guard let colon = argument.lastIndex(of: ":"), let port = UInt16(argument[argument.index(after: colon)...]) else {
      return nil
    }
    var host = String(argument[..<colon])
    if host.hasPrefix("[") && host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    guard !host.isEmpty, host.contains(":") == argument.hasPrefix("[") else { return nil }
    (self.host, self.port) = (host, Int(port))
  }

  /// Whether only this machine can reach the address.
  var isLoopback: Bool { HTTPServer.isLoopback(host) }

  var defaultValueDescription: String { "\(host):\(port)" }
}
