import Foundation
import FoundationXML
import GalleyTestSupport
import Testing

/// Tests of the forms in which `galley inspect` shows cells.
@Suite struct InspectCommandTests {
  private let scratch = Scratch()

  private static let cells = """
    version: 1
    fonts:
      body: {family: Inter, size: 15, lineHeight: 20}
    fallback: [Noto Sans Hebrew, Noto Color Emoji]
    cells:
      A:
        layout:
          type: stack
          direction: vertical
          children:
            - {type: text, id: text, text: "{text}", font: body, maximumNumberOfLines: 3}
            - {type: networkImage, id: photo, when: photo, url: "{photo}", style: {height: "{height?}"}}
            - type: stack
              children:
                - {type: text, id: name, text: "{text}", font: body, maximumNumberOfLines: 1}
                - {type: image, id: icon, imageSize: [15, 15]}
    """

  private static let rows = """
    {"id":"a","text":"Hello"}
    {"id":"3","text":"An id that is a number"}
    {"id":"<b>&","text":"<&> שלום 😀"}
    {"id":"d,e","text":"A list \(String(repeating: "that is long ", count: 20))","photo":"https://img.example/1","height":80}
    {"id":"bad","text":"No height","photo":"https://img.example/1"}
    nonsense
    """

  private func inspect(_ more: String..., environment: [String: String] = [:]) throws -> Galley.Outcome {
    let cells = try scratch.file("cells.yaml", Self.cells)
    let rows = try scratch.file("rows.jsonl", Self.rows)
    return try Galley.run(["inspect", rows, "--cells", cells] + more, environment: environment)
  }

  private func objects(_ json: String) throws -> [[String: Any]] {
    let value = try JSONSerialization.jsonObject(with: Data(json.utf8))
    return try #require(value as? [[String: Any]] ?? (value as? [String: Any]).map { [$0] })
  }

  @Test(arguments: [
    ("0", "Hello"), ("a", "Hello"), ("3", "A list"), ("1", "An id"), ("d,e", "A list"), ("<b>&", "<&>"),
  ])
  func aRowIsFoundByItsIndexOrID(row: String, start: String) throws {
    let outcome = try inspect("--width", "390", "--row", row, "--json").expectSuccess()
    let nodes = try #require(try objects(outcome.output)[0]["nodes"] as? [[String: Any]])
    #expect((nodes[0]["lines"] as? [String])?.first?.hasPrefix(start) == true)
  }

  @Test func aMissingRowIsAnError() throws {
    let outcome = try inspect("--width", "390", "--row", "nobody")
    #expect(outcome.code == 1)
    #expect(
      outcome.errors.hasSuffix("rows.jsonl: has no row nobody: no row has that number or id; its rows are 0 to 5\n"))
  }

  @Test func severalRowsNeedAPage() throws {
    let outcome = try inspect("--width", "390", "--row", "0,1").expectFailure(
      2, "--row names 2 rows; only --html shows several")
    #expect(outcome.errors.contains("Usage: galley inspect ") && outcome.errors.contains("galley inspect --help"))
    #expect(try inspect("--width", "390", "--svg", "--html", "-").code == 2)
  }

  @Test func aPageReplacesAnEarlierOneAndNoInput() throws {
    let page = scratch.path("page.html")
    for _ in 0..<2 { #expect(try inspect("--width", "390", "--row", "0", "--html", page).code == 0) }
    let link = scratch.path("link.html")
    for input in ["rows.jsonl", "cells.yaml"].map(scratch.path) {
      try inspect("--width", "390", "--html", input).expectFailure(
        2, "--html \(input) would replace \(input), which the command reads; give another file")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: input)
      try inspect("--width", "390", "--html", link).expectFailure(2, "--html \(link) would replace \(input), which")
      try FileManager.default.removeItem(atPath: link)
    }
    #expect(try String(contentsOfFile: scratch.path("rows.jsonl"), encoding: .utf8) == Self.rows)
    #expect(try String(contentsOfFile: scratch.path("cells.yaml"), encoding: .utf8) == Self.cells)
    try inspect("--width", "390", "--html", "").expectFailure(2, "--html is a file, or - for standard output")
  }

  @Test(arguments: ["--row=1", "--tree", "--html=-"])
  func environmentVariablesSetNoForm(option: String) throws {
    let plain = try inspect("--width", "390", option)
    let outcome = try inspect("--width", "390", option, environment: ["GALLEY_JSON": "1", "GALLEY_SVG": "1"])
    #expect(outcome.code == plain.code, "\(outcome.errors)")
    #expect(outcome.output == plain.output)
  }

  @Test func oneWidthIsAnObjectAndSeveralAreAnArray() throws {
    let one = try inspect("--width", "390", "--json").output
    #expect(one.hasPrefix("{"))
    let object = try objects(one)[0]
    #expect(Set(object.keys).isSuperset(of: ["size", "nodes", "width", "overflow"]))
    #expect(object["size"] as? [Double] == [390, 40])
    let several = try inspect("--width", "320,390", "--json").output
    #expect(several.hasPrefix("["))
    #expect(try objects(several).map { $0["width"] as? Double } == [320, 390])
  }

  @Test func severalWidthsHaveHeadingsAndOneHasNone() throws {
    for form in ["--ascii", "--tree"] {
      let one = try inspect("--width", "390", form)
      #expect(!one.output.contains(" pt high") && one.output.contains("TextNode (text)"))
      let two = try inspect("--width", "320,390", form).output
      #expect(two.contains("320 pt · 40 pt high\n") && two.contains("\n\n390 pt · 40 pt high\n"))
    }
  }

  @Test func variantsOfSeveralPlatformsAreToldApart() throws {
    let text = try inspect("--width", "390", "--platform", "texture,web", "--tree").output
    #expect(text.contains("390 pt · ") && text.contains("390 pt, platform web · "))
    let json = try inspect("--width", "390", "--platform", "texture,web", "--json").output
    #expect(try objects(json).map { $0["platform"] as? String } == [nil, "web"])
  }

  @Test func everyFormShowsOverflow() throws {
    let message = #"pt longer than the stack and none may shrink: give "name" flexShrink: 1"#
    for form in ["--ascii", "--tree", "--svg", "--json"] {
      let outcome = try inspect("--width", "320", "--row", "3", form)
      #expect(outcome.code == 0)
      let plain = outcome.output.replacing("\\\"", with: "\"").replacing("&quot;", with: "\"").replacing(
        "\n", with: " ")
      #expect(form == "--svg" ? plain.contains("longer than the stack") : plain.contains(message), "\(form)")
    }
  }

  @Test(arguments: ["--ascii", "--tree", "--svg", "--json"])
  func aBadRowIsShownWithItsErrorAndExitCode3(form: String) throws {
    let outcome = try inspect("--width", "390", "--row", "bad", form)
    #expect(outcome.code == 3)
    #expect(outcome.output.contains("photo"))
    #expect(outcome.output.contains("ends without a size"))
    #expect(outcome.errors.contains("rows.jsonl:5: layout.children[1]: networkImage \"photo\" ends without a size"))
    try inspect("--width", "390", "--row", "5", form).expectFailure(3, "rows.jsonl:6: is not JSON")
  }

  @Test func aPictureIsWellFormedAndNeedsNoFonts() throws {
    for row in ["0", "2", "3"] {
      let svg = try inspect("--width", "320,390", "--row", row, "--svg").output
      #expect(XMLParser(data: Data(svg.utf8)).parse(), "row \(row)")
      // The visible lines consist of outlines.
      #expect(svg.contains("<path id=\"g0-") && svg.contains("<use href=\"#g0-"))
      #expect(svg.contains(".words{fill-opacity:0}"))
      #expect(
        svg.components(separatedBy: "<g class=\"item").count == svg.components(separatedBy: "<title>").count
          - svg.components(separatedBy: "<g class=\"overflow").count + 1)
    }
    #expect(try inspect("--width", "390", "--row", "2", "--svg").output.contains("data:image/png;base64,iVBOR"))
  }

  @Test func labelsDoNotOverlapTextsOrEachOther() throws {
    let svg = try inspect("--width", "390", "--row", "3", "--svg").output
    let labels = svg.matches(of: /class="label" x="([-.0-9]+)" y="([-.0-9]+)">([^<]*)</).map {
      (x: Double($0.1) ?? 0, y: Double($0.2) ?? 0, text: String($0.3))
    }
    #expect(labels.map(\.text).contains("photo"))
    for (index, label) in labels.enumerated() {
      for other in labels[..<index] where (label.y - other.y).magnitude < 7 {
        let (left, right) = label.x < other.x ? (label, other) : (other, label)
        #expect(left.x + Double(left.text.count) * 4 < right.x, "\(left) and \(right)")
      }
    }
  }

  @Test func aPageShowsTheFirstRowsInAllWidths() throws {
    let page = scratch.path("page.html")
    let outcome = try inspect("--width", "320,390", "--html", page)
    #expect(outcome.code == 3 && outcome.output.isEmpty)
    let html = try String(contentsOfFile: page, encoding: .utf8)
    #expect(html.components(separatedBy: "<section").count == 7)
    #expect(html.components(separatedBy: "<figure").count == 13)
    #expect(html.contains("prefers-color-scheme:dark"))
    #expect(html.contains("&lt;b&gt;&amp;") && !html.contains("<b>&"))
    #expect(html.contains("6 rows, 2 are bad, in 1 something does not fit"))
    // The page loads nothing and has no scripts.
    let addresses = html.matches(of: /(?:href|src)="([^"]*)"/).map { String($0.1) }
    #expect(addresses.allSatisfy { $0.hasPrefix("#") || $0.hasPrefix("data:image/png;base64,") })
    #expect(!html.contains("<script") && !html.contains("@import") && !html.contains("url("))
  }

  @Test func aPageShowsTheSelectedRows() throws {
    let outcome = try inspect("--width", "390", "--row", "1,a", "--row", "d,e", "--html", "-").expectSuccess()
    let rows = outcome.output.matches(of: /<section id="row-(\d+)"/).map { String($0.1) }
    #expect(rows == ["1", "0", "3"])
  }

  @Test func aPageThatCannotBeWrittenIsAnError() throws {
    try inspect("--width", "390", "--html", "/no/such/directory/page.html").expectFailure(
      1, "/no/such/directory/page.html: No such file or directory")
    #expect(try inspect("--width", "390", "--html", "/dev/full").errors.contains("No space left on device"))
  }
}
