import Foundation
import GalleyTestSupport
import Testing

@testable import CellsFiles

/// Tests of fonts that come with the program.
@Suite struct FontBundleTests {
  private let scratch = Scratch()

  /// Returns a finder with a bundle of files.
  private func finder(_ files: [URL]) throws -> FontFinder {
    for file in files {
      try FileManager.default.copyItem(at: file, to: URL(fileURLWithPath: scratch.path(file.lastPathComponent)))
    }
    return FontFinder(bundle: FontBundle(directory: scratch.directory))
  }

  @Test func aFamilyIsFoundOnlyWithItsBundle() throws {
    #expect(FontFinder().find(family: "Galley Test", weight: 400, italic: false) == nil)
    #expect(!FontFinder().families.contains("Galley Test"))
    let finder = try finder([Fixtures.url("variable.ttf")])
    let found = try #require(finder.find(family: "galley test", weight: 700, italic: false))
    #expect(found.path == scratch.path("variable.ttf"))
    #expect(finder.families.contains("Galley Test"))
    #expect(finder.families(covering: [0x61]).contains("Galley Test"))
    #expect(finder.systemFallback().last?.path == scratch.path("variable.ttf"))
  }

  @Test func aFamilyThatIsNotInTheBundleIsNotReplaced() throws {
    let finder = try finder([Fixtures.url("variable.ttf")])
    #expect(finder.find(family: "Galley Tests", weight: 400, italic: false) == nil)
  }

  @Test(arguments: [400.0, 700])
  func anInstalledFamilyPrecedesTheBundle(weight: Double) throws {
    let installed = try #require(FontFinder().find(family: "Inter", weight: weight, italic: false))
    let file = URL(fileURLWithPath: installed.path)
    let finder = try finder([file, Fixtures.url("variable.ttf")])
    #expect(finder.find(family: "Inter", weight: weight, italic: false)?.path == installed.path)
    #expect(finder.families == Set(FontFinder().families + ["Galley Test"]).sorted())
    #expect(!finder.systemFallback().contains { $0.path == scratch.path(file.lastPathComponent) })
  }

  @Test(arguments: ["missing", "."])
  func aBundleWithoutFontsChangesNothing(name: String) throws {
    _ = try scratch.file("README", "No font.")
    let finder = FontFinder(bundle: FontBundle(directory: scratch.path(name)))
    #expect(finder.families == FontFinder().families)
    #expect(finder.systemFallback().map(\.path) == FontFinder().systemFallback().map(\.path))
  }
}
