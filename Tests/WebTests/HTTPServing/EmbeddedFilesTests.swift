import Foundation
import GalleyTestSupport
import HTTPServing
import Testing

struct EmbeddedFilesTests {
  private static let directories = [
    "Programs/galley/Calibrate/Kit", "Programs/galley/Examples", "Web/Gateway/Pages", "Web/Viewer/Pages",
  ]

  @Test(arguments: ["Programs/galley/Demo/demo.yaml", "Web/Gateway/openapi.json"])
  func aFileIsFoundByItsPath(_ path: String) throws {
    let source = Fixtures.url("../../Sources/\(path)").standardizedFileURL
    #expect(try Data(contentsOf: source) == Data(EmbeddedFiles.file(path)))
  }

  @Test(arguments: directories) func allFilesOfADirectoryAreEmbedded(_ directory: String) throws {
    let sources = Fixtures.url("../../Sources/\(directory)").standardizedFileURL
    let names = try FileManager.default.contentsOfDirectory(atPath: sources.path)
    let embedded = EmbeddedFiles.files(in: directory)
    #expect(embedded.map(\.name).sorted() == names.sorted())
    for (name, bytes) in embedded { #expect(try Data(contentsOf: sources.appendingPathComponent(name)) == Data(bytes)) }
  }
}
