import CellsFiles
import Testing

private let images = "children: [{type: image, imageSize: [300, 90]}, {type: image, imageSize: [300, 90]}]"

/// Tests that properties with an effect have no warning that says otherwise.
extension CellChecksTests {
  @Test(arguments: [
    "{type: stack, children: [{type: inset, style: {height: 80}, child: {type: text, text: x}}]}",
    "{type: stack, children: [{type: inset, style: {minSize: [0, 80]}, child: {type: text, text: x}}]}",
    "{type: stack, children: [{type: inset, style: {height: 80}, child: {type: networkImage, url: u, style: {width: 9}}}]}",
    "{type: stack, direction: vertical, alignItems: start, children: [{type: overlay, style: {width: 80, alignSelf: stretch}, "
      + "child: {type: text, text: x}, overlay: {type: node}}]}",
    "{type: stack, alignItems: '{alignment}', children: [{type: inset, style: {height: 80}, child: {type: text, text: x}}]}",
    "{type: stack, direction: '{direction}', children: [{type: inset, style: {width: 80}, child: {type: text, text: x}}]}",
    "{type: absolute, children: [{type: background, style: {minHeight: 80, width: 30}, child: {type: text, text: x}, "
      + "background: {type: node}}]}",
    "{type: absolute, children: [{type: inset, style: {preferredSize: [9, 9]}, child: {type: networkImage, url: u}}]}",
  ])
  func aSizeThatTheParentOfAnInsetTakesHasAnEffect(layout: String) throws {
    #expect(try warnings(layout, generation: 2) == [])
  }

  @Test(arguments: [
    ("{type: stack, children: [CHILD]}", "width: 5"),
    ("{type: stack, alignItems: start, children: [CHILD]}", "height: 5"),
    ("{type: stack, children: [CHILD]}", "height: 5, alignSelf: end"),
    ("{type: static, children: [CHILD]}", "maxWidth: 5"),
    ("{type: wrapper, children: [CHILD]}", "preferredSize: [5, 5]"),
  ])
  func aSizeOfAnInsetThatItsParentDoesNotTakeHasNoEffect(parent: String, size: String) throws {
    let child = "{type: inset, style: {\(size)}, child: {type: text, text: x}}"
    let warning = "has no effect: an inset takes its child's size; put it into a wrapper with that size"
    let found = try warnings(parent.replacing("CHILD", with: child), generation: 2)
    #expect(found.contains { $0.hasSuffix(warning) })
  }

  @Test(arguments: [
    "{type: stack, direction: vertical, justifyContent: center, style: {maxHeight: 50}, \(images)}",
    "{type: stack, direction: vertical, alignItems: start, children: [{type: stack, justifyContent: end, \(images)}]}",
    "{type: stack, children: [{type: stack, justifyContent: end, style: {flexShrink: 1}, \(images)}]}",
    "{type: stack, children: [{type: inset, style: {flexShrink: '{factor}'}, child: {type: stack, justifyContent: spaceAround, "
      + "\(images)}}]}",
    "{type: stack, children: [{type: ratio, ratio: 2, style: {flexShrink: 1}, child: {type: stack, direction: vertical, "
      + "justifyContent: end, \(images)}}]}",
  ])
  func aJustificationOfChildrenThatMayBeLongerThanTheStackHasAnEffect(layout: String) throws {
    #expect(try warnings(layout, generation: 2) == [])
  }

  @Test func aStackThatCannotBeLongerOrShorterThanItsChildrenJustifiesNothing() throws {
    // A stack of any height does not shrink its children.
    let inner = "{type: stack, direction: vertical, justifyContent: end, style: {flexShrink: 1}, \(images)}"
    #expect(
      try warnings("{type: stack, direction: vertical, children: [\(inner)]}", generation: 2) == [
        "cells.A.layout.children[0].justifyContent: has no effect: the stack is only as high as its children; give it a height, "
          + "flexGrow or alignSelf: stretch"
      ])
  }

  @Test(arguments: [
    ("horizontal", "justifyContent", "horizontalAlignment: middle"),
    ("horizontal", "alignItems", "verticalAlignment: top"),
    ("vertical", "alignItems", "horizontalAlignment: left"),
    ("vertical", "justifyContent", "verticalAlignment: top"),
  ])
  func aPropertyThatAnAlignmentByDirectionReplacesHasNoEffect(
    direction: String, property: String, alignment: String
  ) throws {
    let name = alignment.prefix { $0 != ":" }
    #expect(
      try warnings("{type: stack, direction: \(direction), \(property): end, \(alignment), \(images)}", generation: 2)
        == ["cells.A.layout.\(property): has no effect: \(name) replaces it in this stack; leave one of the two out"])
  }

  @Test(arguments: [
    "justifyContent: end, horizontalAlignment: none", "justifyContent: end, horizontalAlignment: '{alignment?}'",
    "justifyContent: end, verticalAlignment: center",
    "direction: '{direction}', justifyContent: end, horizontalAlignment: right",
  ])
  func aPropertyThatNoAlignmentByDirectionReplacesHasAnEffect(stack: String) throws {
    #expect(try warnings("{type: stack, \(stack), \(images)}", generation: 2) == [])
  }

  @Test(arguments: [
    ("width: 30, preferredSize: [50, 60]", "width: has no effect: preferredSize"),
    ("preferredSize: [50, 60], preferredLayoutSize: [auto, 9]", "preferredSize: has no effect: preferredLayoutSize"),
    ("minHeight: '{h}', width: 3, minSize: [1, 2]", "minHeight: has no effect: minSize"),
    ("maxWidth: 30, maxLayoutSize: [50%, 60]", "maxWidth: has no effect: maxLayoutSize"),
  ])
  func aSizeThatALaterOneReplacesHasNoEffect(sizes: String, warning: String) throws {
    let child = "{type: image, imageSize: [3, 3], style: {\(sizes)}}"
    #expect(
      try warnings("{type: stack, style: {height: 90}, children: [\(child)]}", generation: 2) == [
        "cells.A.layout.children[0].style.\(warning) after it sets the same; leave one of the two out"
      ])
  }

  @Test(arguments: [
    "preferredSize: [50, 60], width: 30", "width: 30, preferredSize: '{size?}'",
    "width: 30, preferredSize: [50, '{h?}']", "width: 30, minSize: [50, 60]",
  ])
  func aSizeThatCountsBesideALaterOneHasAnEffect(sizes: String) throws {
    let child = "{type: image, imageSize: [3, 3], style: {\(sizes)}}"
    #expect(try warnings("{type: stack, children: [\(child)]}", generation: 2) == [])
  }

  @Test(arguments: ["auto", "50%", "'{basis?}'", "{if: a, then: 40}"])
  func aLengthBesideAFlexBasisThatMayLeaveItHasAnEffect(basis: String) throws {
    let child = "{type: image, imageSize: [3, 3], style: {flexBasis: \(basis), width: 60}}"
    #expect(try warnings("{type: stack, children: [\(child)]}", generation: 2) == [])
  }

  @Test func aLengthBesideAFlexBasisInPointsHasNone() throws {
    for basis in ["0", "40", "40pt", "'min(40, 50%)'"] {
      let child = "{type: image, imageSize: [3, 3], style: {flexBasis: \(basis), width: 60}}"
      #expect(
        try warnings("{type: stack, children: [\(child)]}", generation: 2) == [
          "cells.A.layout.children[0].style.flexBasis: overrides the width, which has no effect beside it"
        ])
    }
  }

  @Test(arguments: [
    ("{flexBasis: 80}", "", "give it a height"),
    ("{flexBasis: 80, alignSelf: start}", ", {type: text, text: y}", "stretch"),
    ("{flexBasis: 80, height: 80}", "", nil), ("{flexBasis: 80}", ", {type: text, text: y}", nil),
  ])
  func aScrollNodeNeedsALengthAcrossItsStack(style: String, siblings: String, remedy: String?) throws {
    let scroll = "{type: scroll, scrollableDirections: horizontal, style: \(style), layout: {type: text, text: x}}"
    let warnings = try warnings("{type: stack, children: [\(scroll)\(siblings)]}", generation: 2)
    #expect(warnings.map { $0.contains("children[0]: has no height in this stack") } == (remedy == nil ? [] : [true]))
    #expect(warnings.allSatisfy { $0.hasSuffix(remedy ?? "") })
  }

  @Test func aLineHeightOfAFontThatIsAMultipleIsFound() throws {
    let fonts = "{f: {family: Inter, size: 16, lineHeight: 1.4}}"
    let text = "version: 1\nfonts: \(fonts)\ncells: {A: {layout: {type: text, text: x}}}"
    #expect(
      try CellsFile(text: text, path: "cells.yaml").warnings.map { "\($0.path): \($0.message)" } == [
        "fonts.f.lineHeight: is a length of 1.4 points; for 1.4 times 16 points, write 22.4"
      ])
  }
}
