// A test that measures the texts of a kit with TextKit, as a UILabel shows its `attributedText`. Add it to a test target that
// runs on a device or in the simulator, with the directory of the kit as a folder reference named "kit". Xcode's test report has
// measured.jsonl as an attachment, which `xcrun xcresulttool export attachments --path TEST.xcresult --output-path DIR` exports.
import CoreText
import UIKit
import XCTest

struct Kit: Decodable {
  struct Face: Decodable { let file: String, index: Int, weight: CGFloat, axes: [String: CGFloat] }
  let faces: [Face], fallback: [Int]

  /// Returns the descriptor of a face, with its weight and axes. Axes are the numbers of their four letters.
  func descriptor(_ face: Face, _ directory: URL) throws -> CTFontDescriptor {
    let url = directory.appendingPathComponent(face.file)
    // The descriptors of a variable font's URL begin with its named instances.
    let first = CTFontManagerCreateFontDescriptorFromData(try Data(contentsOf: url) as CFData)
    let all = CTFontManagerCreateFontDescriptorsFromURL(url as CFURL) as? [CTFontDescriptor] ?? []
    let other = all.indices.contains(face.index) ? all[face.index] : nil
    let found = try XCTUnwrap(face.index == 0 ? first : other, "\(face.file) is not a font")
    var axes = face.axes
    if face.weight > 0 { axes["wght"] = face.weight }
    let numbers = axes.map { name, value in (name.utf8.reduce(0) { $0 << 8 | Int($1) }, value) }
    let variation = Dictionary(uniqueKeysWithValues: numbers)
    return CTFontDescriptorCreateCopyWithAttributes(
      found, (variation.isEmpty ? [:] : [kCTFontVariationAttribute: variation]) as CFDictionary)
  }

  /// Returns the font of a text, with the fallback of the kit.
  func font(_ text: KitText, _ directory: URL) throws -> UIFont {
    let fallback = try self.fallback.map { try descriptor(faces[$0], directory) }
    let cascading = CTFontDescriptorCreateCopyWithAttributes(
      try descriptor(faces[text.face], directory), [kCTFontCascadeListAttribute: fallback] as CFDictionary)
    return CTFontCreateWithFontDescriptor(cascading, text.size * text.textScale, nil) as UIFont
  }
}

struct KitText: Decodable {
  let id: Int, text: String, face: Int, size: CGFloat, lineHeight: CGFloat?, letterSpacing: CGFloat, textScale: CGFloat
  let width: CGFloat, maxLines: Int, truncation: String, lineSpacing: CGFloat

  /// The attributes with which a UILabel and an ASTextNode show the text.
  func attributes(_ font: UIFont) -> [NSAttributedString.Key: Any] {
    let style = NSMutableParagraphStyle()
    style.lineSpacing = lineSpacing
    if let lineHeight {
      (style.minimumLineHeight, style.maximumLineHeight) = (lineHeight * textScale, lineHeight * textScale)
    }
    var attributes: [NSAttributedString.Key: Any] = [.font: font, .paragraphStyle: style]
    // A kern of 0 switches the kerning of the font off.
    if letterSpacing != 0 { attributes[.kern] = letterSpacing }
    return attributes
  }
}

final class MeasureTextsUIKit: XCTestCase {
  func testMeasure() throws {
    let directory = try XCTUnwrap(Bundle(for: Self.self).url(forResource: "kit", withExtension: nil))
    let decoder = JSONDecoder()
    let kit = try decoder.decode(Kit.self, from: Data(contentsOf: directory.appendingPathComponent("kit.json")))
    let lines = try String(contentsOf: directory.appendingPathComponent("texts.jsonl"), encoding: .utf8)
    var measured = ""
    for line in lines.split(separator: "\n") {
      let text = try decoder.decode(KitText.self, from: Data(line.utf8))
      let string = NSAttributedString(string: text.text, attributes: text.attributes(try kit.font(text, directory)))
      let storage = NSTextStorage(attributedString: string)
      let (manager, container) = (NSLayoutManager(), NSTextContainer(size: CGSize(width: text.width, height: 1e6)))
      container.lineFragmentPadding = 0
      container.maximumNumberOfLines = text.maxLines
      container.lineBreakMode = text.maxLines > 0 ? .byTruncatingTail : .byWordWrapping
      // TextKit measures a UILabel without the leading of its fonts.
      manager.usesFontLeading = false
      manager.addTextContainer(container)
      storage.addLayoutManager(manager)
      // An empty line after a final newline does not count, as in the layout.
      var count = 0
      manager.enumerateLineFragments(forGlyphRange: manager.glyphRange(for: container)) { _, _, _, _, _ in count += 1 }
      measured += "{\"id\":\(text.id),\"lines\":\(count),\"height\":\(manager.usedRect(for: container).height)}\n"
    }
    let attachment = XCTAttachment(string: measured)
    (attachment.name, attachment.lifetime) = ("measured.jsonl", .keepAlways)
    add(attachment)
    print(measured)
  }
}
