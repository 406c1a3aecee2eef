import Buffers
import CellTemplates
import Foundation
import RowsFiles

/// The texts of a kit with what a device has measured of them.
struct MeasuredTexts {
  /// A text and its size on the device.
  struct Case {
    let text: KitText
    let measured: KitText.Size
  }

  /// The texts that the device has measured, in the order of the kit.
  private(set) var cases: [Case] = []
  /// The ids of the texts that it has not measured.
  private(set) var missing: [Int] = []
  /// The number of lines that are wrong and left out, and the errors of the first ones.
  private(set) var problemCount = 0
  private(set) var problems: [String] = []
  private static let keptProblems = 5

  /// Reads the texts of a kit, and the file that a device has written.
  ///
  /// - Parameter accepts: whether a text can be measured.
  /// - Throws: `RowsError` for a file that cannot be read.
  init(kit: String, measured: String, accepts: (KitText) -> Bool) throws {
    let texts = try readTexts(kit, accepts)
    let sizes = try readSizes(measured, Set(texts.map(\.id)))
    for text in texts {
      if let size = sizes[text.id] { cases.append(Case(text: text, measured: size)) } else { missing.append(text.id) }
    }
  }

  private mutating func readTexts(_ kit: String, _ accepts: (KitText) -> Bool) throws -> [KitText] {
    let decoder = JSONDecoder()
    var texts: [KitText] = []
    var ids: Set<Int> = []
    try RowsReader("\(kit)/\(Kit.textsFile)").forEachRow { row, location in
      if let text = try? decoder.decode(KitText.self, from: Data(row.bytes)), accepts(text),
        ids.insert(text.id).inserted
      {
        texts.append(text)
      } else {
        note("\(location): is not a text of a kit, or has the id of another; make the kit again")
      }
    }
    return texts
  }

  private mutating func readSizes(_ path: String, _ ids: Set<Int>) throws -> [Int: KitText.Size] {
    let parser = JSONParser()
    var sizes: [Int: KitText.Size] = [:]
    try RowsReader([path]).forEachRow { row, location in
      do throws(CellError) {
        let (id, size) = try Self.size(try parser.parse(row))
        guard ids.contains(id) else { throw CellError("the kit has no text \(id); measure the texts of this kit") }
        guard sizes[id] == nil else { throw CellError("text \(id) is measured twice; its first measurement counts") }
        sizes[id] = size
      } catch {
        note("\(location): \(error.description)")
      }
    }
    return sizes
  }

  private mutating func note(_ problem: String) {
    problemCount += 1
    if problems.count < Self.keptProblems { problems.append(problem) }
  }

  /// The largest number of lines and of points that a text can have.
  private static let limit = 10_000_000.0

  /// Reads a line such as `{"id": 7, "lines": 3, "height": 60}`.
  private static func size(_ line: JSONValue) throws(CellError) -> (Int, KitText.Size) {
    let form = #"write {"id": 7, "lines": 3, "height": 60}"#
    guard line.isObject else { throw CellError("is not an object; \(form)") }
    guard let id = line.member("id")?.integer.flatMap({ Int(exactly: $0) }) else {
      throw CellError("has no id, or one that is not a whole number; \(form)")
    }
    // Some writers of JSON write 3 as 3.0.
    guard let lines = line.member("lines")?.number.flatMap({ Int(exactly: $0) }), lines >= 1, lines < Int(limit) else {
      throw CellError("text \(id) has no lines, or not a whole number of them from 1; \(form)")
    }
    guard let height = line.member("height")?.number, height > 0, height < limit else {
      throw CellError("text \(id) has no height, or not a number of points above 0; \(form)")
    }
    return (id, KitText.Size(lines: lines, height: height))
  }
}
