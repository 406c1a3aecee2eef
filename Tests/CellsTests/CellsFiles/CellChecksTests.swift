import CellsFiles
import GalleyTestSupport
import Testing

@Suite struct CellChecksTests {
  /// - Parameter generation: what the file states, or nil for a file that states none.
  func warnings(_ layout: String, generation: Int? = nil) throws -> [String] {
    let scratch = Scratch()
    let stated = generation.map { "generation: \($0)\n" } ?? ""
    let path = try scratch.file(
      "cells.yaml", "version: 1\n\(stated)fonts: {f: {family: Inter, size: 12}}\ncells:\n  A:\n    layout: \(layout)")
    return try CellsFile(path).warnings.map { "\($0.path): \($0.message)" }
  }

  @Test func aNetworkImageWithADefaultImageHasASize() throws {
    let image = "{type: networkImage, url: u, defaultImageSize: [4, 5]}"
    #expect(try warnings("{type: stack, direction: vertical, children: [\(image)]}").isEmpty)
  }

  @Test(arguments: [
    ("{type: text, text: x, markFont: f}", "markFont: has no effect without marks"),
    (
      "{type: stack, style: {width: 50%}}",
      "style.width: has no effect: the cell is as wide as its list; put the element into a stack"
    ),
    (
      "{type: scroll, layout: {type: text, text: x, style: {height: 50%}}}",
      "layout.style.height: is a percentage of a scroll that does not know its height, along which its content has no "
        + "limit; state points"
    ),
    (
      "{type: stack, children: [{type: scroll, scrollableDirections: horizontal, style: {flexBasis: 80, height: 9}, layout: "
        + "{type: stack, children: [{type: text, text: x, style: {width: 50%}}]}}]}",
      "children[0].layout.children[0].style.width: is a percentage of a stack that does not know its width; give the "
        + "stack a width, for which a maximum or minimum is not enough"
    ),
    (
      "{type: text, text: x, lineHeight: 1.5}",
      "lineHeight: is a length of 1.5 points; for 1.5 times 16 points, write 24"
    ),
    (
      "{type: text, text: x, hyphens: auto}",
      "hyphens: has no effect without lang, the language whose dictionary is used: lang: en-US"
    ),
    (
      "{type: text, text: x, hyphens: auto, lang: en, wordBreak: breakAll}",
      "hyphens: has no effect with wordBreak: breakAll, with which lines end without hyphens"
    ),
    (
      "{type: text, text: x, hyphens: auto, lang: de-AT}",
      "hyphens: has no effect: no dictionary for de-AT is stated; write hyphenation: {de-AT: …} with the path of one, such as "
        + "those of Debian's packages hyphen-* in /usr/share/hyphen"
    ),
    (
      "{type: text, text: x, textWrap: pretty, wordBreak: breakAll}",
      "textWrap: has no effect with wordBreak: breakAll, which fills each line"
    ),
    (
      "{type: text, text: x, textWrap: pretty, exclusionPaths: [{side: left, width: 9, height: 9}]}",
      "textWrap: has no effect with exclusionPaths, beside which each line is filled"
    ),
    (
      "{type: inset, child: {type: node, style: {flexGrow: 1, height: 3}}}",
      "child.style.flexGrow: has no effect: its parent is an inset, not a stack"
    ),
    (
      "{type: stack, children: [{type: inset, child: {type: text, text: x, style: {flexShrink: 1}}}]}",
      "children[0].child.style.flexShrink: has no effect: its parent is an inset, not a stack; options do not propagate "
        + "upwards, so set it on cells.A.layout.children[0]"
    ),
    (
      "{type: stack, children: [{type: node, style: {layoutPosition: [1, 2], width: 3}}]}",
      "children[0].style.layoutPosition: has no effect: its parent is a stack, not an absolute or static"
    ),
    (
      "{type: absolute, children: [{type: image, imageSize: [1, 2], style: {sizeRange: [1, 2]}}]}",
      "children[0].style.sizeRange: has no effect in an absolute; a static looks at it"
    ),
    (
      "{type: stack, direction: vertical, children: [{type: networkImage, url: u}]}",
      "children[0]: has no height of its own in this stack; give its style height or preferredSize, or put it into a ratio"
    ),
    (
      "{type: stack, children: [{type: node, style: {width: 5, flexBasis: 6}}]}",
      "children[0].style.flexBasis: overrides the width, which has no effect beside it"
    ),
    (
      "{type: stack, direction: vertical, children: [{type: node, style: {height: 50%}}]}",
      "children[0].style.height: is a percentage of a stack that does not know its height; give the stack a height, for which a maximum or "
        + "minimum is not enough"
    ),
    (
      "{type: stack, children: [{type: stack, children: [{type: node, style: {width: 50%}}]}]}",
      "children[0].children[0].style.width: is a percentage of a stack that does not know its width; give the stack a width, for which a maximum or "
        + "minimum is not enough"
    ),
    (
      "{type: inset, style: {width: 5}, child: {type: spec}}",
      "style.width: has no effect: an inset takes its child's size; put it into a wrapper with that size"
    ),
    (
      "{type: inset, child: {type: networkImage, url: u}}",
      "child: has no height of its own in this inset; give its style height or preferredSize, or put it into a ratio"
    ),
    (
      "{type: center, child: {type: node, id: n}}",
      "child: has no width and height of its own in this center; give its style width and height or preferredSize, or put "
        + "it into a ratio"
    ),
    (
      "{type: overlay, child: {type: networkImage, url: u}, overlay: {type: node}}",
      "child: has no height of its own in this overlay; give its style height or preferredSize, or put it into a ratio"
    ),
    (
      "{type: absolute, children: [{type: networkImage, url: u, style: {layoutPosition: [1, 1]}}]}",
      "children[0]: has no width and height of its own in this absolute; give its style width and height or preferredSize, "
        + "or put it into a ratio"
    ),
    (
      "{type: static, children: [{type: networkImage, url: u, style: {layoutPosition: [1, 1], sizeRange: {min: [0, 20]}}}]}",
      "children[0]: has no width of its own in this static; give its style width or preferredSize, or put it into a ratio"
    ),
    (
      "{type: text, text: 'at {{time}}'}",
      "text: shows \"{time}\", as doubled braces are braces; write {time} for the field"
    ),
    (
      "{type: text, runs: [{text: 'at ${time}'}]}",
      "runs[0].text: shows a $ before the field; write {time} for the field alone"
    ),
    (
      "{type: networkImage, url: u}",
      ": has no height of its own in the cell; give its style height or preferredSize, or put it into a ratio"
    ),
    (
      "{type: stack, direction: vertical, children: [{type: image, imageSize: [3, 3], style: {flexGrow: 1}}]}",
      "children[0].style.flexGrow: has no effect: the stack has no height of its own to share; give the stack a height or "
        + "minHeight"
    ),
    (
      "{type: stack, children: [{type: text, text: x, style: {minLayoutSize: [10, 50%]}}]}",
      "children[0].style.minLayoutSize: is a percentage of a stack that does not know its height; give the stack a height, for which a maximum or "
        + "minimum is not enough"
    ),
    (
      "{type: static, children: [{type: text, text: x}]}",
      ": does nothing: its child has neither layoutPosition nor sizeRange; leave the static out"
    ),
    (
      "{type: stack, style: {preferredFrameSize: [10, 10]}}",
      "style.preferredFrameSize: has no effect on a stack, which has no content of its own; give it width and height or "
        + "preferredSize"
    ),
    (
      "{type: stack, children: [{type: wrapper, children: [{type: text, text: x, style: {flexShrink: 1}}]}]}",
      "children[0].children[0].style.flexShrink: has no effect: its parent is a wrapper, not a stack; options do not "
        + "propagate upwards, so set it on cells.A.layout.children[0]"
    ),
    (
      "{type: static, children: [{type: inset, style: {layoutPosition: [1, 1]}, child: {type: text, text: x, style: "
        + "{sizeRange: [10, 20]}}}]}",
      "children[0].child.style.sizeRange: has no effect: its parent is an inset, not an absolute or static; options do not "
        + "propagate upwards, so set it on cells.A.layout.children[0]"
    ),
    (
      "{type: overlay, child: {type: text, text: x, when: y}, overlay: {type: node}}",
      "child.when: without its child an overlay is laid out as an empty spec, and without its overlay; put the condition on "
        + "the overlay itself"
    ),
  ])
  func anOptionWithoutAnEffectIsAWarning(layout: String, warning: String) throws {
    let found = try warnings(layout, generation: 2)
    #expect(found == [(warning.hasPrefix(":") ? "cells.A.layout" : "cells.A.layout.") + warning])
  }

  @Test(arguments: [
    (
      "{type: stack, direction: vertical, justifyContent: end, children: [{type: text, text: x}]}",
      "justifyContent: has no effect: the stack is only as high as its children; give it a height, or a parent that it fills"
    ),
    (
      "{type: stack, direction: vertical, alignItems: start, children: [{type: stack, justifyContent: spaceBetween, "
        + "children: [{type: text, text: x}, {type: text, text: y}]}]}",
      "children[0].justifyContent: has no effect: the stack is only as wide as its children; give it a width, flexGrow or "
        + "alignSelf: stretch"
    ),
    (
      "{type: stack, alignContent: center, children: [{type: text, text: x}]}",
      "alignContent: has no effect on a stack of one line; give the stack flexWrap: wrap"
    ),
    (
      "{type: stack, lineSpacing: 4, flexWrap: noWrap, children: [{type: text, text: x}]}",
      "lineSpacing: has no effect on a stack of one line; give the stack flexWrap: wrap"
    ),
    (
      "{type: stack, alignItems: start, children: [{type: center, child: {type: text, text: x}}]}",
      "children[0]: has no effect: in this stack it is only as large as its child; give it flexGrow or a size, or use the "
        + "stack's justifyContent and alignItems"
    ),
    (
      "{type: stack, children: [{type: text, text: x}, {type: spec}, {type: text, text: y}]}",
      "children[1]: takes no room: a spacer needs flexGrow or a width"
    ),
    (
      "{type: stack, alignItems: center, children: [{type: image, imageSize: [3, 3], style: {ascender: 4}}]}",
      "children[0].style.ascender: has no effect: no stack of this cell has alignItems: baselineFirst or baselineLast"
    ),
    (
      "{type: stack, direction: vertical, children: [{type: scroll, layout: {type: text, text: x}}]}",
      "children[0]: has no height in this stack, which has none of its own; give it a flexBasis"
    ),
    (
      "{type: stack, children: [{type: image}]}",
      "children[0]: has no width and height of its own in this stack; give it an imageSize"
    ),
    (
      "{type: static, children: [{type: text, text: x, style: {sizeRange: {min: [50, 9], max: [20, 9]}}}]}",
      "children[0].style.sizeRange: has a smallest width of 50, which is above the largest of 20"
    ),
    (
      "{type: stack, children: [{type: text, text: x, style: {minWidth: 50, maxWidth: 20, minHeight: 9, maxHeight: 9}}]}",
      "children[0].style.maxWidth: is below minWidth, which wins: together they ask for a width of exactly 50; write width: 50 "
        + "if that is meant"
    ),
  ])
  func whatTheDebuggingGuideNamesIsAWarning(layout: String, warning: String) throws {
    #expect(try warnings(layout, generation: 2) == ["cells.A.layout." + warning])
  }

  @Test(arguments: [
    ("{type: text, text: x, style: {preferredFrameSize: [1, 2]}}", "text, which is measured"),
    (
      "{type: node, calculatedSize: [3, 3], style: {preferredFrameSize: [1, 2]}}",
      "node whose size comes from its calculatedSize"
    ),
    (
      "{type: node, layout: {type: text, text: x}, style: {preferredFrameSize: [1, 2]}}",
      "node whose size comes from its layout"
    ),
  ])
  func aPreferredFrameSizeWithoutAnEffectIsAWarningInTheFirstGeneration(child: String, what: String) throws {
    let path = "cells.A.layout.children[0].style.preferredFrameSize"
    #expect(
      try warnings("{type: stack, children: [\(child)]}", generation: 1) == ["\(path): has no effect on a \(what)"])
    #expect(try warnings("{type: stack, children: [\(child)]}", generation: 2) == [])
    #expect(try warnings("{type: static, children: [\(child)]}", generation: 1) == [])
  }

  @Test func adviceOfTheFirstGenerationHasItsProperties() throws {
    #expect(
      try warnings("{type: stack, children: [{type: networkImage, url: u}]}", generation: 1) == [
        "cells.A.layout.children[0]: has no width and height of its own in this stack; give its style preferredFrameSize, or "
          + "put it into a ratio"
      ])
    let grows = "{type: stack, STYLE, alignItems: stretch, children: [{type: node, style: {flexGrow: true}}]}"
    for style in ["preferredFrameSize", "sizeRange"] {
      let stack = grows.replacing("STYLE", with: "style: {\(style): [50, 60]}")
      #expect(try warnings("{type: static, children: [\(stack)]}", generation: 1) == [])
    }
  }

  @Test func namesOfTheFirstGenerationNeedOneWhereResultsDependOnIt() throws {
    let layout = "{type: stack, children: [{type: node, style: {preferredFrameSize: [30, 30]}}, {type: text, text: x}]}"
    let advice =
      "but preferredFrameSize is a name of 1.x; write generation: 1 or generation: 2 at the top of the file"
    #expect(
      try warnings(layout) == [
        "cells.A.layout: stretches its children, which AsyncDisplayKit 1.x aligns to the start, \(advice)"
      ])
    #expect(try warnings(layout, generation: 1) == [])
    #expect(try warnings(layout, generation: 2) == [])
    #expect(try warnings(layout.replacing("preferredFrameSize", with: "preferredSize")) == [])
    #expect(try warnings(layout.replacing("{type: stack", with: "{type: stack, alignItems: start")) == [])
  }

  @Test(arguments: [
    "{type: stack, children: [{type: node, style: {flexGrow: 1, alignSelf: end, spacingBefore: 2}}]}",
    "{type: static, children: [{type: node, style: {layoutPosition: [1, 2], sizeRange: [50%, 20]}}]}",
    "{type: stack, direction: vertical, children: [{type: node, style: {width: 50%, height: 10}}]}",
    "{type: ratio, ratio: 1, child: {type: networkImage, url: u}}",
    "{type: stack, direction: vertical, children: [{type: stack, children: [{type: node, style: {width: 50%}}]}]}",
    "{type: overlay, child: {type: text, text: x}, overlay: {type: node, style: {height: 20%}}}",
    "{type: static, children: [{type: stack, style: {sizeRange: [100, 50]}, children: [{type: node, style: {width: 50%, "
      + "height: 50%}}]}]}",
    "{type: stack, style: {height: 90}, direction: vertical, children: [{type: networkImage, url: u, style: {flexGrow: 1}}]}",
    "{type: background, child: {type: text, text: x}, background: {type: networkImage, url: u}}",
    "{type: stack, children: [{type: networkImage, url: u, style: {preferredSize: '{size}'}}]}",
    "{type: stack, direction: {if: a, then: vertical, else: horizontal}, children: [{type: image, imageSize: [3, 3], style: "
      + "{flexBasis: 40, width: 60}}]}",
    "{type: stack, justifyContent: center, children: [{type: text, text: x}]}",
    "{type: stack, style: {height: 40}, children: [{type: center, child: {type: text, text: x}}]}",
    "{type: stack, children: [{type: text, text: x}, {type: spec, style: {flexGrow: 1}}]}",
    "{type: stack, direction: vertical, children: [{type: scroll, style: {flexBasis: 80}, layout: {type: text, text: x}}]}",
    "{type: scroll, layout: {type: text, text: x}}",
    "{type: scroll, scrollableDirections: horizontal, style: {minWidth: 900}, layout: {type: text, text: x}}",
    "{type: scroll, style: {height: 90}, layout: {type: text, text: x, style: {height: 50%}}}",
    "{type: scroll, scrollableDirections: {if: a, then: both}, layout: {type: text, text: x, style: {height: 50%}}}",
    "{type: stack, alignItems: baselineLast, children: [{type: image, imageSize: [3, 3], style: {descender: -4}}]}",
  ])
  func anOptionWithAnEffectIsNoWarning(layout: String) throws {
    #expect(try warnings(layout, generation: 2) == [])
  }
}
