/// An error in tables that were to be read: the path of the file or directory, what is wrong, and what to do.
public struct TableError: Error, Equatable, CustomStringConvertible {
  public let path: String
  public let reason: String

  public init(_ path: String, _ reason: String) {
    self.path = path
    self.reason = reason
  }

  public var description: String { "\(path): \(reason)" }

  /// How tables are made again.
  static let remedy = "lay out the rows again"

  /// The error of a file whose contents contradict each other.
  ///
  /// - Parameter remedy: How the file is made again.
  static func damaged(_ path: String, _ reason: String, remedy: String = TableError.remedy) -> TableError {
    TableError(path, "\(reason); the file is damaged or was copied only in part: copy it again, or \(remedy)")
  }
}
