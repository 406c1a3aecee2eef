import Glibc

extension Endpoint {
  /// The reason why users who are neither the owner nor in the group of a listening ipc socket can connect to it or
  /// replace it; nil when they cannot.
  public var exposure: String? {
    guard case .ipc(let path) = self else { return nil }
    let directory = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard let outer = Self.mode(directory), let inner = Self.mode(path), outer & S_IXOTH != 0 else { return nil }
    if outer & S_IWOTH != 0 && outer & S_ISVTX == 0 {
      return "every user can put another socket in the place of \(path); have it in a directory of your own"
    }
    if inner & S_IWOTH != 0 { return "every user can connect to \(path); `chmod o-x \(directory)` keeps them out" }
    return nil
  }

  private static func mode(_ path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode : nil
  }
}
