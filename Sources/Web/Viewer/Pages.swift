import HTTPServing

/// The files of the page, which are embedded in the program.
enum Pages {
  private static let files: [(name: String, bytes: [UInt8])] = [
    ("cellpage.js", PackageResources.cellpage_js), ("cellstore.js", PackageResources.cellstore_js),
    ("cellview.js", PackageResources.cellview_js), ("charts.js", PackageResources.charts_js),
    ("elements.js", PackageResources.elements_js), ("explanation.js", PackageResources.explanation_js),
    ("fonts.js", PackageResources.fonts_js), ("galley.js", PackageResources.galley_js),
    ("index.html", PackageResources.index_html), ("jump.js", PackageResources.jump_js),
    ("keyboard.js", PackageResources.keyboard_js), ("listpages.js", PackageResources.listpages_js),
    ("listview.js", PackageResources.listview_js), ("panel.js", PackageResources.panel_js),
    ("ranges.js", PackageResources.ranges_js), ("rowheights.js", PackageResources.rowheights_js),
    ("scrollmapping.js", PackageResources.scrollmapping_js), ("server.js", PackageResources.server_js),
    ("session.js", PackageResources.session_js), ("slices.js", PackageResources.slices_js),
    ("theme.js", PackageResources.theme_js), ("viewer.css", PackageResources.viewer_css),
    ("viewer.js", PackageResources.viewer_js), ("watching.js", PackageResources.watching_js),
  ]

  private static let types = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
  ]

  /// Returns the response to a request for a file, or nil if there is none of this name.
  ///
  /// - Parameter policy: The Content-Security-Policy.
  static func response(_ name: String, policy: String) -> HTTPResponse? {
    guard let file = files.first(where: { $0.name == name }) else { return nil }
    let type = types[String(name.split(separator: ".").last ?? "")] ?? "application/octet-stream"
    let headers = [
      (name: "cache-control", value: "no-cache"), (name: "content-security-policy", value: policy),
      (name: "referrer-policy", value: "no-referrer"),
    ]
    return HTTPResponse(type: type, headers: headers, body: file.bytes)
  }

  /// Returns the Content-Security-Policy of the page.
  ///
  /// - Parameter loadsImages: Whether the page loads the images of the rows from wherever they are.
  static func policy(loadsImages: Bool) -> String {
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
      + "img-src 'self' data:\(loadsImages ? " https: http:" : ""); connect-src 'self'; base-uri 'none'; "
      + "form-action 'none'; frame-ancestors 'none'"
  }
}
