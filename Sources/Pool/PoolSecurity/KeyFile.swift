import Glibc
import Processes
import ZeroMQ

/// An error in a file or directory of keys, with the way to correct it.
public struct KeyError: Error, Equatable, CustomStringConvertible {
  /// The path, the error and the way to correct it.
  public let description: String

  init(_ path: String, _ reason: String) { description = "\(path) \(reason)" }

  /// Creates an error from the `errno` of the call that failed last.
  init(_ path: String, failing reason: String, wayOut: String = "") {
    self.init(path, "\(reason): \(String(cString: strerror(errno)))\(wayOut)")
  }
}

/// A file of one key in Z85.
struct KeyFile {
  enum Kind {
    /// A secret key. Only its owner can write it, and only its owner and the group for which a service's keys are
    /// mounted can read it.
    case secret
    /// A public key, which every user can read.
    case open
  }

  let path: String
  let kind: Kind

  func read() throws(KeyError) -> CurveKey {
    // Without O_NONBLOCK, opening a FIFO waits for a writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      throw KeyError(path, failing: "cannot be read", wayOut: "; `galley keys` makes keys")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw KeyError(path, failing: "cannot be read") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw KeyError(path, "is not a regular file") }
    if kind == .secret && status.st_mode & (S_IRWXO | S_IWGRP) != 0 {
      throw KeyError(path, "is a secret that others can get at; `chmod 600 \(path)` keeps them out")
    }
    // The buffer holds a key, the end of its line, and one more byte, which shows whether anything follows.
    var bytes = [UInt8](repeating: 0, count: CurveKey.length + 2)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw KeyError(path, failing: "cannot be read") }
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    guard let key = CurveKey(text.hasSuffix("\n") ? String(text.dropLast()) : text) else {
      throw KeyError(path, "holds no key, which is a line of \(CurveKey.length) characters as `galley keys` writes it")
    }
    return key
  }

  /// Writes new files. If one cannot be written, none remains, so that the keys can be made again.
  static func write(_ keys: [(file: KeyFile, key: CurveKey)]) throws(KeyError) {
    for (index, (file, key)) in keys.enumerated() {
      do throws(KeyError) { try file.write(key) } catch {
        for (file, _) in keys[..<index] { unlink(file.path) }
        throw error
      }
    }
  }

  /// Writes a new file. A file that exists is never overwritten.
  private func write(_ key: CurveKey) throws(KeyError) {
    let mode: mode_t = kind == .secret ? 0o600 : 0o644
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else {
      if errno == EEXIST { throw KeyError(path, "is there already, and keys are not overwritten") }
      throw KeyError(path, failing: "cannot be written")
    }
    defer { close(descriptor) }
    let line = Array("\(key.text)\n".utf8)
    guard line.withUnsafeBytes({ writeAll($0, to: descriptor) }) == 0, fsync(descriptor) == 0 else {
      let error = KeyError(path, failing: "cannot be written")
      unlink(path)
      throw error
    }
  }
}
