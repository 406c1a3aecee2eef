import CellTemplates
import GalleyTestSupport
import LayoutEngine
import LayoutTables
import Testing

@testable import BatchLayout

/// What elements fetch beside one URL.
@Suite struct ResourcesTests {
  /// Returns the records of a row: URL, type, and the size in pixels that it states.
  private func resources(_ element: String, _ row: String = "{}") throws -> [String] {
    let layout = try JobLayout(
      Programs.compile(#"{"cells":{"A":{"layout":\#(element)}}}"#), variants: [Variant(width: 100)])
    layout.layOut([row])
    let bytes = layout.encodedColumns()[0]
    let job = try JobTable(bytes.bytes, rows: 1, typeCount: ElementType.names.count)
    let columns = job.columns
    if columns.errorLength[0] > 0 { return [columns.errorBytes.slice(0..<Int(columns.errorLength[0])).string] }
    var byte = 0
    return (0..<columns.resourceRow.count).map { index in
      let end = byte + Int(columns.resourceURLLength[index])
      defer { byte = end }
      let url = columns.resourceURLBytes.slice(byte..<end).string
      let detail = (0..<columns.detailResource.count).first { Int(columns.detailResource[$0]) == index }
      let type = detail.map { columns.detailType[$0] } ?? columns.type[Int(columns.resourceFrame[index])]
      let size = detail.map { "\(columns.detailPixelWidth[$0])x\(columns.detailPixelHeight[$0])" } ?? "0x0"
      return "\(url) \(ElementType.names[Int(type)]) \(size) of \(columns.resourceFrame[index])"
    }
  }

  private let sized = #""style":{"width":40,"height":30}"#

  @Test func aVideoHasAPoster() throws {
    let video = #"{"type":"video","url":"{v}","posterUrl":"{p?}",\#(sized)}"#
    #expect(
      try resources(video, #"{"v":"a.mp4","p":"a.jpg"}"#) == ["a.mp4 video 0x0 of 0", "a.jpg networkImage 0x0 of 0"])
    #expect(try resources(video, #"{"v":"a.mp4"}"#) == ["a.mp4 video 0x0 of 0"])
  }

  @Test(arguments: ["{}", #"{"u":null}"#, #"{"u":""}"#])
  func anAbsentURLIsNoResource(row: String) throws {
    #expect(try resources(#"{"type":"networkImage","url":"{u?}",\#(sized)}"#, row).isEmpty)
    let video = #"{"type":"video","url":"{u?}","posterUrl":"a.jpg",\#(sized)}"#
    #expect(try resources(video, row) == ["a.jpg networkImage 0x0 of 0"])
  }

  @Test func theImagesOfAMultiplexImageHaveTheirOwnSizes() throws {
    let row = #"{"l":"large","sizes":[{"url":"a","width":1200,"height":900},{"url":"b"}]}"#
    #expect(
      try resources(#"{"type":"multiplexImage","images":"{sizes}",\#(sized)}"#, row)
        == ["a multiplexImage 1200x900 of 0", "b multiplexImage 0x0 of 0"])
    #expect(
      try resources(
        #"{"type":"multiplexImage","images":[{"url":"{l}","width":"{sizes.0.width}"},{"url":"s"}],\#(sized)}"#, row)
        == ["large multiplexImage 1200x0 of 0", "s multiplexImage 0x0 of 0"])
  }

  @Test func aMemberOfAnImageOfTheRowThatIsNullIsAbsent() throws {
    let element = #"{"type":"multiplexImage","images":"{sizes}",\#(sized)}"#
    let row = #"{"sizes":[{"url":"a","width":640,"height":480},{"url":"b","width":null,"height":null},{"url":null}]}"#
    #expect(try resources(element, row)[0].hasSuffix("layout.images[2]: needs a url"))
    #expect(
      try resources(element, row.replacing(#",{"url":null}"#, with: ""))
        == ["a multiplexImage 640x480 of 0", "b multiplexImage 0x0 of 0"])
    let written = #"{"type":"multiplexImage","images":[{"url":"{a}","width":null}],\#(sized)}"#
    let error = #expect(throws: CellError.self) { try resources(written, "{}") }
    #expect(error?.description.contains("images[0].width: is null") == true)
  }

  @Test func aWrongImageIsAnErrorOfTheRow() throws {
    let element = #"{"type":"multiplexImage","images":"{sizes}",\#(sized)}"#
    #expect(try resources(element, #"{"sizes":[{"width":3}]}"#)[0].hasSuffix("layout.images[0]: needs a url"))
    #expect(
      try resources(element, #"{"sizes":[{"url":"a","width":-1}]}"#)[0].hasSuffix(
        "layout.images[0].width: is a number, but must be a whole number from 0 to 2147483647"))
    let half = #"{"type":"multiplexImage","images":[{"url":"a","width":1.5}],\#(sized)}"#
    let constant = #expect(throws: CellError.self) { try resources(half, "{}") }
    #expect(constant?.description.contains("images[0].width: is a number, but must be a whole number") == true)
    let chosen = #"{"type":"multiplexImage","images":{"if":"w","then":[{"ur":"x"}],"else":[{"url":"a"}]},\#(sized)}"#
    let error = #expect(throws: CellError.self) { try resources(chosen, "{}") }
    #expect(error?.description.contains("layout.images.then[0].ur: is not a part of an image") == true)
  }
}
