import Buffers
import GalleyTestSupport
import LayoutEngine
import Testing

@testable import CellTemplates

/// Tests that the description of the format agrees with the parser.
@Suite struct CellFormatTests {
  @Test func theFormatDescribesEveryKey() {
    let described = Set(
      (CellFormat.everyElement + CellFormat.style + CellFormat.run + CellFormat.elements.flatMap(\.properties))
        .map(\.name))
    #expect(Set(Keyword.allCases.map(\.name)) == described)
    #expect(CellFormat.elements.map(\.type) == ElementType.allCases)
  }

  @Test(arguments: LayoutGeneration.allCases)
  func aPropertyWithItsDefaultValueChangesNothing(generation: LayoutGeneration) throws {
    let other: Generation = generation == .first ? .second : .onlyFirst
    for format in CellFormat.elements where format.generation != other {
      let plain = try compiled(format, nil, inStyle: false, generation)
      for property in format.properties where property.type.isBindable && property.defaultValue != nil {
        // Insets of 0 add an element around the content, which changes no frame.
        if property.name == "contentEdgeInsets" || property.generation == other { continue }
        // The stated default is that of 2.x.
        if property.name == "alignItems" && generation == .first { continue }
        #expect(try compiled(format, property, inStyle: false, generation) == plain, "\(format.name).\(property.name)")
      }
      for property in CellFormat.style where property.defaultValue != nil && property.generation != other {
        #expect(
          try compiled(format, property, inStyle: true, generation) == plain, "\(format.name).style.\(property.name)")
      }
    }
  }

  /// Returns the elements and styles of a cell class with one property given.
  private func compiled(
    _ format: ElementFormat, _ property: PropertyFormat?, inStyle: Bool, _ generation: LayoutGeneration
  )
    throws -> [UInt8]
  {
    var members = [#""type":"\#(format.name)""#]
    for required in format.properties where required.isRequired {
      members.append(required.type.isOfElements ? #""\#(required.name)":{"type":"spec"}"# : #""ratio":1"#)
    }
    if format.name == "text" { members.append(#""text":"x""#) }
    if format.name == "button" { members.append(#""title":"x","imageSize":[1,2]"#) }
    var style = ""
    if let property, let value = property.defaultValue {
      let isName: Bool = if case .choice = property.type { true } else { value == "auto" }
      let json = #""\#(property.name)":\#(isName ? #""\#(value)""# : value)"#
      if inStyle { style = json } else { members.append(json) }
    }
    members.append(#""style":{\#(style)}"#)
    let program = try Programs.compile(
      #"{"generation":\#(generation.rawValue),"fonts":{"a":{"face":0,"size":10}},"#
        + #""cells":{"A":{"layout":{\#(members.joined(separator: ","))}}}}"#,
      faces: [Programs.face("Inter-Regular.otf")])
    let binder = RowBinder(program)
    try binder.read(Programs.row(#"{"cell":"A"}"#))
    try binder.bind(SizeRange(width: 100))
    var bytes: [UInt8] = []
    for element in binder.tree.elements.values where element.kind != .inset {
      bytes += withUnsafeBytes(of: binder.tree.styles[Int(element.style)]) { Array($0) }
      var element = element
      element.style = 0
      bytes += withUnsafeBytes(of: element) { Array($0) }
    }
    for run in 0..<binder.state.runs.count { bytes += "\(binder.state.runs[run].style)".utf8 }
    for text in 0..<binder.textCount {
      let options = binder.options(ofText: text)
      bytes +=
        "\(options.maximumNumberOfLines) \(options.truncation.string) \(options.lineSpacing) \(options.whiteSpace)".utf8
    }
    return bytes
  }
}
