import Foundation

/// A file in memory. The system reads its pages when they are used, so that opening a file takes the same time whatever
/// its size. The file must not be shortened while it is mapped; Galley replaces tables by renaming, which is safe.
package final class MappedFile: Sendable {
  package let path: String
  private let contents: Data

  package init(_ path: String) throws(TableError) {
    guard FileManager.default.fileExists(atPath: path) else {
      throw TableError(path, "does not exist; copy all files of the directory again, or lay out the rows again")
    }
    do {
      contents = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
    } catch {
      throw TableError(path, "cannot be read: \(Self.reason(error))")
    }
    self.path = path
  }

  /// The bytes of the file, which are valid as long as this object exists.
  package var bytes: UnsafeRawBufferPointer {
    // Data of more than a few bytes is stored outside of the value, at an address that does not change while the data
    // are not modified, and these never are. Shorter data, which the value holds itself, are no table.
    contents.count < 64 ? UnsafeRawBufferPointer(start: nil, count: 0) : contents.withUnsafeBytes { $0 }
  }

  private static func reason(_ error: any Error) -> String {
    ((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError)?.localizedDescription
      ?? (error as NSError).localizedDescription
  }
}
