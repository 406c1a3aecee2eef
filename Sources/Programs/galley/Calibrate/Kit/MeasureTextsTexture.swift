// A test that measures the texts of a kit with the ASTextNode of Texture. Add it beside MeasureTextsUIKit.swift, whose `Kit`
// and `KitText` it uses, to a target that links AsyncDisplayKit.
import AsyncDisplayKit
import XCTest

final class MeasureTextsTexture: XCTestCase {
  func testMeasure() throws {
    let directory = try XCTUnwrap(Bundle(for: Self.self).url(forResource: "kit", withExtension: nil))
    let decoder = JSONDecoder()
    let kit = try decoder.decode(Kit.self, from: Data(contentsOf: directory.appendingPathComponent("kit.json")))
    let lines = try String(contentsOf: directory.appendingPathComponent("texts.jsonl"), encoding: .utf8)
    var measured = ""
    for line in lines.split(separator: "\n") {
      let text = try decoder.decode(KitText.self, from: Data(line.utf8))
      let node = ASTextNode()
      node.attributedText = NSAttributedString(
        string: text.text, attributes: text.attributes(try kit.font(text, directory)))
      node.maximumNumberOfLines = UInt(text.maxLines)
      node.truncationAttributedText = NSAttributedString(string: text.truncation)
      let room = CGSize(width: text.width, height: 1e6)
      let size = node.layoutThatFits(ASSizeRange(min: .zero, max: room)).size
      // The node counts lines in its bounds.
      node.frame = CGRect(origin: .zero, size: room)
      measured += "{\"id\":\(text.id),\"lines\":\(node.lineCount),\"height\":\(size.height)}\n"
    }
    let attachment = XCTAttachment(string: measured)
    (attachment.name, attachment.lifetime) = ("measured.jsonl", .keepAlways)
    add(attachment)
    print(measured)
  }
}
