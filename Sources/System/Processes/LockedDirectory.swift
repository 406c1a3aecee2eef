import Glibc

/// A new directory that is locked as long as the process that made it runs. A directory that is not locked was left by
/// a process that was killed.
public struct LockedDirectory: ~Copyable {
  /// The path of the directory.
  public let path: String
  private let descriptor: Int32

  /// Makes a directory that only this user can enter, and removes those of its kind that were left. Returns nil and sets `errno` if
  /// no directory can be made.
  ///
  /// - Parameters:
  ///   - prefix: The beginning of the path, to which a unique suffix is added. No directory of a user begins with it.
  ///   - remove: A function that removes a directory that was left.
  public init?(prefix: String, removingLeftovers remove: (String) -> Void) {
    Self.removeLeftovers(prefix: prefix, remove)
    while true {
      guard let template = strdup(prefix + "XXXXXX") else { return nil }
      defer { free(template) }
      guard let made = mkdtemp(template) else { return nil }
      let path = String(cString: made)
      errno = EPERM
      if let descriptor = Self.lock(path) {
        (self.path, self.descriptor) = (path, descriptor)
        return
      }
      let code = errno
      // Another process may have removed the directory as a leftover before it was locked, or has locked it to do so.
      if rmdir(path) == 0, code != EWOULDBLOCK {
        errno = code
        return nil
      }
    }
  }

  deinit { close(descriptor) }

  /// Returns whether a name is one that `mkdtemp` can have made of a prefix.
  public static func isMade(_ name: some StringProtocol, ofPrefix prefix: some StringProtocol) -> Bool {
    let suffix = name.utf8.dropFirst(prefix.utf8.count)
    return name.hasPrefix(prefix) && suffix.count == 6 && suffix.allSatisfy { isalnum(Int32($0)) != 0 }
  }

  /// Calls `remove` for this user's directories whose paths were made of a prefix and which are not locked.
  private static func removeLeftovers(prefix: String, _ remove: (String) -> Void) {
    let slash = prefix.lastIndex(of: "/")
    let parent = slash.map { prefix[...$0] } ?? ""
    let name = prefix.dropFirst(parent.count)
    for leftover in DirectoryListing.names(in: parent.isEmpty ? "." : String(parent)) ?? []
    where isMade(leftover, ofPrefix: name) {
      guard let descriptor = lock(parent + leftover) else { continue }
      remove(parent + leftover)
      close(descriptor)
    }
  }

  /// Opens and locks a directory. Returns nil for a path that is not a directory of this user, and for a directory that
  /// is locked.
  private static func lock(_ path: String) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var (opened, named) = (stat(), stat())
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &opened) == 0, stat(path, &named) == 0,
      opened.st_ino == named.st_ino, opened.st_uid == getuid()
    {
      return descriptor
    }
    close(descriptor)
    return nil
  }
}
