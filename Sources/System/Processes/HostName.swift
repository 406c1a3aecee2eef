import Glibc

/// The name of this machine.
public enum HostName {
  /// The name that the system has; empty if it has none.
  public static var current: String {
    // The system's names have up to 64 bytes (gethostname(2)).
    var name = [CChar](repeating: 0, count: 65)
    guard gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
