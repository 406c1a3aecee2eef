import CellTemplates
import CellsFiles
import Foundation
import GalleyTestSupport
import SeededRandom
import Testing

/// Tests of packs: a pack gives what the cells file and its fonts give, and no damage is overlooked.
@Suite struct CellsPackTests {
  private let scratch = Scratch()

  private static let cells = """
    version: 1
    fonts: {body: {file: font.ttf, size: 15}, bold: {file: font.ttf, weight: 700, size: 15}}
    cells:
      A: {layout: {type: inset, insets: 4, child: {type: text, text: "{text}", font: body, style: {flexGrow: 1}}}}
      B: {layout: {type: text, text: "{title}", font: bold}}
    """

  /// Writes a cells file and its font into a directory of their own, and returns the bytes of the pack.
  private func pack(_ text: String, font: Data, directory: String, name: String = "cells.yaml") throws -> [UInt8] {
    try FileManager.default.createDirectory(atPath: scratch.path(directory), withIntermediateDirectories: true)
    try font.write(to: URL(fileURLWithPath: scratch.path("\(directory)/font.ttf")))
    return try bytes(of: CellsFile(scratch.file("\(directory)/\(name)", text)))
  }

  private func bytes(of file: CellsFile) throws -> [UInt8] {
    let archive = try file.archive()
    return file.packHead(of: archive) + archive.withBytes { Array($0) }
  }

  private func open(_ bytes: [UInt8]) throws -> CellsFile {
    try Data(bytes).write(to: URL(fileURLWithPath: scratch.path("cells.galley")))
    return try CellsFile(scratch.path("cells.galley"))
  }

  /// Returns the message of the error with which a pack is refused, or nil if everything in it can be read.
  private func refusal(_ bytes: [UInt8]) throws -> String? {
    do {
      _ = try open(bytes).archive()
      return nil
    } catch let error as CellsFileError {
      return error.description.replacingOccurrences(of: scratch.directory + "/", with: "")
    }
  }

  private func font() throws -> Data { try Data(contentsOf: Fixtures.url("variable.ttf")) }

  @Test func aPackHasTheProgramAndTheWarningsOfItsFile() throws {
    let packed = try pack(Self.cells, font: font(), directory: "a")
    let original = try CellsFile(scratch.path("a/cells.yaml"))
    let file = try open(packed)
    let programs = try [original, file].map { try $0.archive().withBytes { Array($0) } }
    #expect(programs[0] == programs[1])
    #expect(!file.warnings.isEmpty && file.warnings == original.warnings)
    let path = ["cells", "B", "layout", "text"]
    #expect(file.warning(path, "is wrong") == original.warning(path, "is wrong"))
    #expect(file.warning(path, "is wrong").line == 5)
    #expect(try bytes(of: file) == packed, "a pack of a pack is the same")
  }

  @Test func theBytesDependOnlyOnTheCellsAndTheFonts() throws {
    let first = try pack(Self.cells, font: font(), directory: "a")
    #expect(try pack(Self.cells, font: font(), directory: "other/b", name: "posts.yml") == first)
  }

  @Test func everyChangeOfTheCellsOrTheFontChangesThePack() throws {
    var random = SplitMix(seed: 11)
    let font = try font()
    var known = [try pack(Self.cells, font: font, directory: "a")]
    for number in 0..<8 {
      known.append(try pack(Self.cells + "\n# \(random.next())", font: font, directory: "\(number)"))
      known.append(try pack(Self.cells.replacing("size: 15", with: "size: \(16 + number)"), font: font, directory: "s"))
    }
    let other = try Data(contentsOf: URL(fileURLWithPath: DebianFonts.path("Inter-Regular.otf")))
    let cells = Self.cells.replacing(", weight: 700", with: "")
    known.append(try pack(cells, font: font, directory: "f"))
    known.append(try pack(cells, font: other, directory: "f"))
    #expect(Set(known).count == known.count)
  }

  @Test func randomDamageIsFound() throws {
    let packed = try pack(Self.cells, font: font(), directory: "a")
    var mutator = Mutator(seed: 5, corpus: [packed])
    for _ in 0..<min(Mutator.count, 300) {
      let damaged = mutator.next()
      guard damaged != packed else { continue }
      #expect(try refusal(damaged) != nil)
    }
  }

  @Test func everyBitOfTheHeadIsChecked() throws {
    let packed = try pack(Self.cells, font: font(), directory: "a")
    for offset in 0..<80 {
      var damaged = packed
      damaged[offset] ^= 1 << UInt8(offset % 8)
      #expect(try refusal(damaged) != nil, "byte \(offset)")
    }
  }

  @Test func everyTruncationIsFound() throws {
    let packed = try pack(Self.cells, font: font(), directory: "a")
    var random = SplitMix(seed: 7)
    for count in [4, 8, 55, 56, 64, packed.count - 1] + (0..<50).map({ _ in 4 + random.below(packed.count - 4) }) {
      let message = try refusal(Array(packed.prefix(count)))
      #expect(message?.hasPrefix("cells.galley: is a pack that is cut off") == true, "\(message ?? "no error")")
    }
  }

  @Test func theErrorSaysWhatIsWrong() throws {
    let packed = try pack(Self.cells, font: font(), directory: "a")
    let remedy = "; copy it again, or pack the cells file again"
    #expect(
      try refusal(Array(packed.dropLast(9)))
        == "cells.galley: is a pack that is cut off; it has \(packed.count - 9) of \(packed.count) bytes" + remedy)
    #expect(try refusal(packed + [1, 2]) == "cells.galley: is a damaged pack: 2 bytes follow its end" + remedy)
    var damaged = packed
    damaged[100] ^= 1
    #expect(try refusal(damaged) == "cells.galley: is a damaged pack: a checksum is wrong" + remedy)
    damaged = packed
    damaged[packed.count - 100] ^= 1
    #expect(
      try refusal(damaged) == "cells.galley: is a damaged pack: the hash of its fonts and cells is wrong" + remedy)
    damaged = packed
    damaged.remove(at: 4)
    #expect(
      try refusal(damaged) == "cells.galley: is a damaged pack: a transfer as text has changed its bytes" + remedy)
    damaged = packed
    damaged[8] = 2
    #expect(
      try refusal(damaged)
        == "cells.galley: is a pack of version 2, and this Galley reads version 1; use a newer Galley, or pack the cells "
        + "file again")
  }
}
