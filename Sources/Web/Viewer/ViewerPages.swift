import HTTPServing

/// The files of the page.
enum ViewerPages {
  private static let pages = EmbeddedPages("Web/Viewer/Pages")

  /// Returns the response to a request for a file, or nil if there is none of this name.
  ///
  /// - Parameter loadsImages: Whether the page loads the images of the rows from wherever they are.
  static func response(_ name: String, loadsImages: Bool) -> HTTPResponse? {
    pages.response(name, sources: "font-src 'self'; img-src 'self' data:\(loadsImages ? " https: http:" : "")")
  }
}
