import Foundation
import GalleyTestSupport
import Testing

/// Tests of the README and the articles: links lead to files, cited rules exist, and lists of articles are complete.
@Suite struct DocumentationTests {
  private static let repository = Fixtures.url("../..").standardized
  private static let catalog = repository.appendingPathComponent("Sources/Documentation.docc")
  private static let rootPage = "Galley"
  private static let maxReadmeLines = 150

  // MARK: Citations

  @Test func everyCitedLayoutRuleIsInTheArticle() throws {
    try checkCitations(of: "layout-semantics", in: "LayoutSemantics")
  }

  @Test func everyCitedTextRuleIsInTheArticle() throws {
    try checkCitations(of: "text-rules", in: "TextRules")
  }

  private func checkCitations(of name: String, in article: String) throws {
    let numbers = try ruleNumbers(of: article)
    var cited = 0
    for file in try sourceFiles() {
      let source = try String(contentsOf: file, encoding: .utf8)
      for comment in comments(in: source) {
        for number in citations(of: name, in: comment) {
          cited += 1
          #expect(
            numbers.contains(number), "\(file.lastPathComponent) cites \(name) \(number), which \(article).md lacks")
        }
      }
    }
    #expect(cited > 0)
  }

  /// Returns the numbers with which the headings of an article begin.
  private func ruleNumbers(of article: String) throws -> Set<String> {
    var numbers: Set<String> = []
    for line in try text(of: article).split(separator: "\n") {
      guard let heading = line.prefixMatch(of: #/[#]{2,4} ([0-9]+(?:\.[0-9]+)?)[. ]/#) else { continue }
      numbers.insert(String(heading.1))
    }
    return numbers
  }

  /// Returns the files under `Sources` and `Tests` whose comments may cite rules.
  private func sourceFiles() throws -> [URL] {
    var files: [URL] = []
    for folder in ["Sources", "Tests"] {
      let root = Self.repository.appendingPathComponent(folder)
      for path in try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted() {
        let file = root.appendingPathComponent(path)
        if ["swift", "h", "c", "cpp"].contains(file.pathExtension) { files.append(file) }
      }
    }
    return files
  }

  /// Returns the comments of a source file. Lines of comments that follow each other are one comment, as a citation may
  /// be broken between two of them.
  private func comments(in source: String) -> [String] {
    var comments: [String] = []
    var isOpen = false
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      guard let text = comment(in: line) else {
        isOpen = false
        continue
      }
      if isOpen, let last = comments.popLast() {
        comments.append(last + " " + text)
      } else {
        comments.append(text)
      }
      isOpen = true
    }
    return comments
  }

  private func comment(in line: Substring) -> String? {
    let code = line.drop { $0 == " " }
    if code.hasPrefix("//") { return code.drop { $0 == "/" }.trimmingCharacters(in: .whitespaces) }
    guard let start = line.range(of: " // ") else { return nil }
    return line[start.upperBound...].trimmingCharacters(in: .whitespaces)
  }

  /// Returns the numbers of the rules that a comment cites, such as 5.8 and 5.9.
  private func citations(of name: String, in comment: String) -> [String] {
    comment.components(separatedBy: name).dropFirst().flatMap { rest -> [String] in
      let list = #/`? ([0-9]+(?:\.[0-9]+)?(?:(?:, | and | to )[0-9]+(?:\.[0-9]+)?)*)/#
      guard let numbers = rest.prefixMatch(of: list) else { return [] }
      return numbers.1.matches(of: #/[0-9]+(?:\.[0-9]+)?/#).map { String($0.0) }
    }
  }

  // MARK: Links

  @Test func everyLinkLeadsToAFile() throws {
    let readme = Self.repository.appendingPathComponent("README.md")
    for file in try [readme] + pages() {
      let prose = prose(of: try String(contentsOf: file, encoding: .utf8))
      for link in prose.matches(of: #/<doc:([^>]+)>/#) {
        // The packages convert links to whole articles only.
        let article = String(link.1)
        #expect(exists("\(article).md", in: Self.catalog), "\(file.lastPathComponent) links to doc:\(article)")
      }
      for link in prose.matches(of: #/\]\(([^)\s]+)\)/#) {
        let target = String(link.1)
        guard target.prefixMatch(of: #/(?:[a-z]+:|[#])/#) == nil else { continue }
        #expect(isFound(target, from: file), "\(file.lastPathComponent) links to \(target)")
      }
    }
  }

  @Test func theRootPageAndTheReadmeListEveryArticle() throws {
    let root = try text(of: Self.rootPage)
    let readme = try String(contentsOf: Self.repository.appendingPathComponent("README.md"), encoding: .utf8)
    for article in try articles() {
      let name = article.deletingPathExtension().lastPathComponent
      #expect(readme.contains("(Sources/Documentation.docc/\(name).md)"), "README.md does not list \(name)")
      if name == Self.rootPage { continue }
      #expect(root.contains("\n- <doc:\(name)>\n"), "\(Self.rootPage).md does not list \(name)")
    }
  }

  /// Whether a link of a file leads to a file beside it. DocC finds pictures by their names.
  private func isFound(_ target: String, from file: URL) -> Bool {
    let path = String(target.prefix { $0 != "#" })
    let folder = file.deletingLastPathComponent()
    return exists(path, in: folder) || exists(path, in: folder.appendingPathComponent("Resources"))
  }

  private func exists(_ path: String, in folder: URL) -> Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path)
  }

  /// Returns a Markdown text without its blocks and spans of code.
  private func prose(of markdown: String) -> String {
    var lines: [String] = []
    var isCode = false
    for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isCode.toggle()
      } else if !isCode && !line.hasPrefix("    ") {
        lines.append(String(line.replacing(#/`[^`]*`/#, with: "")))
      }
    }
    return lines.joined(separator: "\n")
  }

  // MARK: Contents

  @Test func everyLibraryOfTheDocumentationHasAPageThatTheRootPageLists() throws {
    let script = try String(contentsOf: Self.repository.appendingPathComponent("deploy/docs"), encoding: .utf8)
    let libraries = try #require(script.firstMatch(of: #/libraries=\(([A-Za-z ]+)\)/#)).1.split(separator: " ")
    let root = try text(of: Self.rootPage)
    for library in libraries {
      #expect(exists("\(library).md", in: Self.catalog), "\(library)")
      #expect(root.contains("\n- ``\(library)``\n"), "\(Self.rootPage).md does not list \(library)")
    }
  }

  @Test func theReadmeIsShort() throws {
    let readme = try String(contentsOf: Self.repository.appendingPathComponent("README.md"), encoding: .utf8)
    let lines = readme.count { $0 == "\n" }
    #expect(lines <= Self.maxReadmeLines)
  }

  @Test func theCommandsOfTheReadmeExist() throws {
    let readme = try String(contentsOf: Self.repository.appendingPathComponent("README.md"), encoding: .utf8)
    for command in ["deploy/demo", "deploy/test"] {
      let path = Self.repository.appendingPathComponent(command).path
      #expect(readme.contains("\n    \(command) "), "\(command)")
      #expect(FileManager.default.isExecutableFile(atPath: path), "\(command)")
    }
  }

  @Test func everyArticleHasATitle() throws {
    for article in try pages() {
      let text = try String(contentsOf: article, encoding: .utf8)
      #expect(text.hasPrefix("# "), "\(article.lastPathComponent)")
    }
  }

  @Test func everyVerbHasASectionInTheArticleOnTheCommandLine() throws {
    let article = try text(of: "CommandLine")
    let sources = Self.repository.appendingPathComponent("Sources/Programs/galley")
    var verbs: [String] = []
    for file in try sourceFiles() where file.path.hasPrefix(sources.path + "/") {
      let source = try String(contentsOf: file, encoding: .utf8)
      // The verbs of a verb are indented further.
      verbs += source.matches(of: #/\n    commandName: "([a-z]+)"/#).map { String($0.1) }
    }
    #expect(verbs.count > 20)
    for verb in verbs where verb != "galley" {
      #expect(article.contains("\n## galley \(verb)"), "\(verb)")
      #expect(article.contains("| `galley \(verb)` |"), "\(verb)")
    }
  }

  // MARK: Files

  /// Returns the articles of the catalog.
  private func articles() throws -> [URL] {
    try pages().filter { try !isLibraryPage($0) }
  }

  /// Returns the articles of the catalog and the pages of libraries.
  private func pages() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(atPath: Self.catalog.path).sorted()
      .filter { $0.hasSuffix(".md") }.map { Self.catalog.appendingPathComponent($0) }
  }

  /// Whether a file is the page of a library, whose title is the name of a module.
  private func isLibraryPage(_ file: URL) throws -> Bool {
    try String(contentsOf: file, encoding: .utf8).hasPrefix("# ``")
  }

  private func text(of article: String) throws -> String {
    try String(contentsOf: Self.catalog.appendingPathComponent("\(article).md"), encoding: .utf8)
  }
}
