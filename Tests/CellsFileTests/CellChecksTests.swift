import CellsFile
import GalleyTestSupport
import Testing

@Suite struct CellChecksTests {
  private func warnings(_ layout: String) throws -> [String] {
    let scratch = Scratch()
    let path = try scratch.file(
      "cells.yaml", "fonts: {f: {family: Inter, size: 12}}\ncells:\n  A:\n    layout: \(layout)")
    return try CellsFile(path).warnings.map { "\($0.path): \($0.message)" }
  }

  @Test(arguments: [
    (
      "{type: inset, child: {type: node, style: {flexGrow: 1, height: 3}}}",
      "child.style.flexGrow: has no effect: its parent is an inset, not a stack"
    ),
    (
      "{type: stack, children: [{type: inset, child: {type: node, style: {flexShrink: 1, width: 3}}}]}",
      "children[0].child.style.flexShrink: has no effect: its parent is an inset, not a stack; options do not propagate "
        + "upwards, so set it on cells.A.layout.children[0]"
    ),
    (
      "{type: stack, children: [{type: node, style: {layoutPosition: [1, 2], width: 3}}]}",
      "children[0].style.layoutPosition: has no effect: its parent is a stack, not an absolute or static"
    ),
    (
      "{type: absolute, children: [{type: node, style: {sizeRange: [1, 2]}}]}",
      "children[0].style.sizeRange: has no effect in an absolute; a static looks at it"
    ),
    (
      "{type: stack, direction: vertical, children: [{type: networkImage, url: u}]}",
      "children[0]: has no height of its own in this stack; give its style height, preferredSize or flexGrow"
    ),
    (
      "{type: stack, children: [{type: text, text: x, style: {preferredFrameSize: [1, 2]}}]}",
      "children[0].style.preferredFrameSize: has no effect on a text, which is measured; give it width, maxWidth or "
        + "preferredSize"
    ),
    (
      "{type: stack, children: [{type: node, style: {width: 5, flexBasis: 6}}]}",
      "children[0].style.flexBasis: overrides the width, which has no effect beside it"
    ),
    (
      "{type: stack, direction: vertical, children: [{type: node, style: {height: 50%}}]}",
      "children[0].style.height: is a percentage of a stack that does not know its height"
    ),
    (
      "{type: stack, children: [{type: stack, children: [{type: node, style: {width: 50%}}]}]}",
      "children[0].children[0].style.width: is a percentage of a stack that does not know its width"
    ),
    (
      "{type: inset, style: {width: 5}, child: {type: spec}}",
      "style.width: has no effect: an inset takes its child's size; put it into a wrapper with that size"
    ),
  ])
  func whatHasNoEffectIsTold(layout: String, warning: String) throws {
    let found = try warnings(layout)
    #expect(found == ["cells.A.layout." + warning] || found == ["cells.A.layout" + warning])
  }

  @Test(arguments: [
    "{type: stack, children: [{type: node, style: {flexGrow: 1, alignSelf: end, spacingBefore: 2}}]}",
    "{type: static, children: [{type: node, style: {layoutPosition: [1, 2], sizeRange: [50%, 20]}}]}",
    "{type: stack, direction: vertical, children: [{type: node, style: {width: 50%, height: 10}}]}",
    "{type: ratio, ratio: 1, child: {type: networkImage, url: u}}",
    "{type: stack, direction: vertical, children: [{type: stack, children: [{type: node, style: {width: 50%}}]}]}",
    "{type: overlay, child: {type: text, text: x}, overlay: {type: node, style: {height: 20%}}}",
  ])
  func whatIsMeantIsNot(layout: String) throws {
    #expect(try warnings(layout) == [])
  }
}
