/// The files of pages that are embedded in a program.
public struct EmbeddedPages: Sendable {
  private let files: [String: [UInt8]]

  private static let types = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
  ]

  /// - Parameter directory: the path of their directory from Sources.
  public init(_ directory: String) {
    files = Dictionary(uniqueKeysWithValues: EmbeddedFiles.files(in: directory).map { ($0.name, $0.bytes) })
  }

  /// Returns the response to a request for a file, or nil if there is none of this name.
  ///
  /// - Parameter sources: The directives of the Content-Security-Policy beside those of all pages, which load nothing from
  ///   other places and run no script but their own.
  public func response(_ name: String, sources: String) -> HTTPResponse? {
    guard let bytes = files[name] else { return nil }
    let type = Self.types[String(name.split(separator: ".").last ?? "")] ?? "application/octet-stream"
    let policy =
      "default-src 'none'; script-src 'self'; style-src 'self'; \(sources); connect-src 'self'; base-uri 'none'; "
      + "form-action 'none'; frame-ancestors 'none'"
    return HTTPResponse(
      type: type,
      headers: [
        ("cache-control", "no-cache"), ("content-security-policy", policy), ("referrer-policy", "no-referrer"),
      ], body: bytes)
  }
}
