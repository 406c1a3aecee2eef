import HTTPServing

/// The files of the page.
enum ViewerPages {
  private static let pages = EmbeddedPages([
    "address.js": PackageResources.address_js, "banner.js": PackageResources.banner_js,
    "cellpage.js": PackageResources.cellpage_js, "cellstore.js": PackageResources.cellstore_js,
    "cellview.js": PackageResources.cellview_js, "charts.js": PackageResources.charts_js,
    "columns.js": PackageResources.columns_js, "elements.js": PackageResources.elements_js,
    "explanation.js": PackageResources.explanation_js, "fonts.js": PackageResources.fonts_js,
    "format.js": PackageResources.format_js, "galley.js": PackageResources.galley_js,
    "index.html": PackageResources.index_html, "jump.js": PackageResources.jump_js,
    "keyboard.js": PackageResources.keyboard_js, "listpages.js": PackageResources.listpages_js,
    "listview.js": PackageResources.listview_js, "marks.js": PackageResources.marks_js,
    "panel.js": PackageResources.panel_js, "prefetching.js": PackageResources.prefetching_js,
    "ranges.js": PackageResources.ranges_js, "rowheights.js": PackageResources.rowheights_js,
    "rowsbyneed.js": PackageResources.rowsbyneed_js, "rowviews.js": PackageResources.rowviews_js,
    "scrollmapping.js": PackageResources.scrollmapping_js, "server.js": PackageResources.server_js,
    "session.js": PackageResources.session_js, "slices.js": PackageResources.slices_js,
    "theme.js": PackageResources.theme_js, "viewer.css": PackageResources.viewer_css,
    "viewer.js": PackageResources.viewer_js, "watching.js": PackageResources.watching_js,
  ])

  /// Returns the response to a request for a file, or nil if there is none of this name.
  ///
  /// - Parameter loadsImages: Whether the page loads the images of the rows from wherever they are.
  static func response(_ name: String, loadsImages: Bool) -> HTTPResponse? {
    pages.response(name, sources: "font-src 'self'; img-src 'self' data:\(loadsImages ? " https: http:" : "")")
  }
}
