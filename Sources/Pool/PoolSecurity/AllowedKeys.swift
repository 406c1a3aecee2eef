import PoolProtocol
import Processes
import ZeroMQ

/// The keys that a coordinator accepts, as the files in `allowed` state them. A file that cannot be used allows no key,
/// and does not affect the others.
struct AllowedKeys {
  /// The largest number of keys that a coordinator accepts.
  static let maxCount = 10_000

  private(set) var holders: [CurveKey: KeyHolder] = [:]
  /// The reasons why files are not used.
  private(set) var problems: [KeyError] = []
  /// The files without a role in their names.
  private(set) var filesWithoutRole: [String] = []

  /// Reads the files of a directory.
  ///
  /// - Throws: `KeyError` if the directory cannot be read.
  init(in directory: String) throws(KeyError) {
    guard let files = DirectoryListing.names(in: directory) else {
      throw KeyError(directory, failing: "cannot be read", wayOut: "; `galley keys` makes it")
    }
    for file in files.sorted() where file.hasSuffix(AllowedKeyName.suffix) && !file.hasPrefix(".") {
      do throws(KeyError) { try add(file, in: directory) } catch { problems.append(error) }
    }
  }

  private mutating func add(_ file: String, in directory: String) throws(KeyError) {
    let path = "\(directory)/\(file)"
    let name = try AllowedKeyName(file: file, in: directory)
    let key = try KeyFile(path: path, kind: .open).read()
    guard holders.count < Self.maxCount else { throw KeyError(path, "is beyond the limit of \(Self.maxCount) keys") }
    if let other = holders[key] { throw KeyError(path, "holds the key that \(other.name) has already") }
    holders[key] = KeyHolder(name: name.name, role: name.role ?? .operator)
    if name.role == nil { filesWithoutRole.append(file) }
  }
}

/// The name of a file in `allowed`: `NAME.ROLE.pub`, or `NAME.pub` without a further dot as versions before roles wrote it.
struct AllowedKeyName: Equatable {
  static let suffix = ".pub"
  /// The names that state a role, as errors show them.
  static let forms = "NAME.worker.pub, NAME.client.pub or NAME.operator.pub"
  /// The largest number of bytes in the name of a key.
  static let maxLength = 64

  let name: String
  /// Nil for a file without a role.
  let role: PeerRole?

  init(_ name: String, _ role: PeerRole?) { (self.name, self.role) = (name, role) }

  /// - Throws: `KeyError` when the name of the key has other characters, or too many of them, or when no role follows
  ///   its last dot. A misspelled role must not permit everything, as the lack of a role does.
  init(file: String, in directory: String) throws(KeyError) {
    let path = "\(directory)/\(file)"
    let stem = file.hasSuffix(Self.suffix) ? file.dropLast(Self.suffix.count) : ""
    let end = stem.lastIndex(of: ".")
    let name = end.map { stem[..<$0] } ?? stem
    let isName = (1...Self.maxLength).contains(name.utf8.count) && name.unicodeScalars.allSatisfy(Self.isAllowed)
    guard isName else {
      throw KeyError(path, "has no name of letters, digits, - , _ and . with at most \(Self.maxLength) bytes")
    }
    let role = end.flatMap { PeerRole(rawValue: String(stem[stem.index(after: $0)...])) }
    guard role != nil || end == nil else {
      throw KeyError(path, "has no role after the last dot of its name; rename it to \(Self.forms)")
    }
    self.init(String(name), role)
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "-_.".unicodeScalars.contains(scalar))
  }

  var file: String { role.map { "\(name).\($0.rawValue)\(Self.suffix)" } ?? name + Self.suffix }
}
