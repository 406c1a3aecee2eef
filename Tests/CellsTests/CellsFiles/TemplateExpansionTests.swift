import CellsFiles
import Foundation
import GalleyTestSupport
import LayoutEngine
import Testing

@testable import CellTemplates

/// Tests of templates: the same cells with and without them have the same program, and mistakes name both places.
@Suite struct TemplateExpansionTests {
  private func file(_ text: String) throws -> CellsFile {
    try CellsFile(text: "version: 1\nfonts: {f: {family: Inter, size: 12}}\n" + text, path: "/cells.yaml")
  }

  private func mistakes(_ text: String) -> [String] {
    do {
      _ = try file(text)
      return []
    } catch let error as CellsFileError { return error.lines } catch { return ["\(error)"] }
  }

  /// Expects that a cell with uses has the same program as one that is written out.
  private func expect(_ templates: String, _ layout: String, equals written: String) throws {
    let used = try file("templates:\n  \(templates)\ncells: {A: {layout: \(layout)}}").archive()
    let plain = try file("cells: {A: {layout: \(written)}}").archive()
    #expect(used.withBytes { Array($0) } == plain.withBytes { Array($0) }, "\(layout)")
  }

  private static let avatar =
    "Avatar: {parameters: {size: 40, user: null}, layout: {type: networkImage, url: '{user.avatar}', style: "
    + "{preferredSize: ['{size}', '{size}']}}}"

  @Test func anElementWithUseIsTheElementOfTheTemplate() throws {
    try expect(
      Self.avatar, "{use: Avatar, with: {size: 24, user: '{author}'}}",
      equals: "{type: networkImage, url: '{author.avatar}', style: {preferredSize: [24, 24]}}")
    try expect(
      Self.avatar, "{use: Avatar, id: me, with: {user: '{me}'}, style: {spacingAfter: 8}, when: me}",
      equals:
        "{type: networkImage, url: '{me.avatar}', style: {preferredSize: [40, 40], spacingAfter: 8}, id: me, when: me}")
  }

  @Test func aUseCanBeRepeated() throws {
    try expect(
      Self.avatar,
      "{type: stack, children: [{use: Avatar, forEach: people, as: person, with: {user: '{person}'}}]}",
      equals: "{type: stack, children: [{type: networkImage, url: '{person.avatar}', style: {preferredSize: [40, 40]}, "
        + "forEach: people, as: person}]}")
  }

  /// The template has a loop whose variable the use means otherwise.
  private static let comment =
    "Comment: {parameters: {of: null}, layout: {type: stack, children: [{type: text, forEach: of.replies, "
    + "text: '{item.name} to {of.name}', marks: item.spans}]}}"

  @Test func aLoopOfATemplateDoesNotHideTheVariableOfAUse() throws {
    try expect(
      Self.comment, "{type: stack, children: [{use: Comment, forEach: comments, with: {of: '{item}'}}]}",
      equals: "{type: stack, children: [{type: stack, children: [{type: text, forEach: item.replies, "
        + "text: \"{item'.name} to {item.name}\", marks: \"item'.spans\", as: \"item'\"}], forEach: comments}]}")
    try expect(
      Self.comment, "{type: stack, children: [{use: Comment, forEach: comments, as: c, with: {of: '{c}'}}]}",
      equals: "{type: stack, children: [{type: stack, children: [{type: text, forEach: c.replies, "
        + "text: '{item.name} to {c.name}', marks: item.spans}], forEach: comments, as: c}]}")
  }

  @Test func aLoopOfATemplateDoesNotHideTheVariableOfTheConditionOfAUse() throws {
    try expect(
      "Tag: {layout: {type: text, forEach: tags, when: item.on, text: '{item.name}'}}",
      "{type: stack, children: [{type: stack, forEach: xs, children: [{use: Tag, when: item.visible}]}]}",
      equals: "{type: stack, children: [{type: stack, forEach: xs, children: [{type: text, forEach: tags, "
        + "when: {all: [item.visible, \"item'.on\"]}, text: \"{item'.name}\", as: \"item'\"}]}]}")
  }

  /// The inner template names the variable without a parameter, and has a loop of its own.
  @Test func aVariableWithAnotherNameHasItInInnerTemplates() throws {
    try expect(
      "Inner: {parameters: {of: null}, layout: {type: stack, children: [{type: text, text: '{item.a}'}, "
        + "{type: text, forEach: item.xs, text: '{item.b} {of.c}'}]}}\n"
        + "  Outer: {parameters: {of: null}, layout: {type: stack, children: [{use: Inner, forEach: of.ys, "
        + "with: {of: '{of}'}}]}}",
      "{type: stack, children: [{use: Outer, forEach: rows, with: {of: '{item}'}}]}",
      equals: "{type: stack, children: [{type: stack, children: [{type: stack, children: [{type: text, text: "
        + "\"{item'.a}\"}, {type: text, forEach: \"item'.xs\", text: \"{item'.b} {item.c}\", as: \"item'\"}], "
        + "forEach: item.ys, as: \"item'\"}], forEach: rows}]}")
  }

  @Test func anElementCanNameTheVariableOfTheTemplateThatRepeatsIt() throws {
    try expect(
      "List: {parameters: {of: null, row: null}, layout: {type: stack, children: [{type: wrapper, forEach: of, "
        + "children: ['{row}']}]}}",
      "{use: List, with: {of: '{tags}', row: {type: text, text: '{item.name}'}}}",
      equals: "{type: stack, children: [{type: wrapper, forEach: tags, children: [{type: text, text: '{item.name}'}]}]}"
    )
  }

  @Test func parametersAreElementsTextsAndConditions() throws {
    let row =
      "Row: {parameters: {title: '', badge: false, lead: null, who: null}, layout: {type: stack, children: ['{lead}', "
      + "{type: text, text: 'Dear {title}, {who.name}!'}, {type: spec, when: badge}, {type: spec, when: who.isNew}]}}"
    try expect(
      row, "{use: Row, with: {title: '{name}', lead: {type: spec}, who: '{user}', badge: true}}",
      equals: "{type: stack, children: [{type: spec}, {type: text, text: 'Dear {name}, {user.name}!'}, {type: spec}, "
        + "{type: spec, when: user.isNew}]}")
    try expect(
      row, "{use: Row, with: {title: Ada, lead: {type: spec}, who: '{user}'}}",
      equals: "{type: stack, children: [{type: spec}, {type: text, text: 'Dear Ada, {user.name}!'}, "
        + "{type: spec, when: user.isNew}]}")
  }

  @Test func parametersKeepTheirMarksAndSigns() throws {
    let text =
      "T: {parameters: {caption: null, m: null, w: 40}, layout: {type: text, text: '{caption?}', marks: m, "
      + "style: {width: '{100 - -w}', height: '{min(-w, 3) + 20}'}}}"
    try expect(
      text, "{use: T, with: {caption: '{post.caption}', m: '{spans}'}}",
      equals: "{type: text, text: '{post.caption?}', marks: '{spans}', style: {width: '{100 - -40}', "
        + "height: '{min(-40, 3) + 20}'}}")
    try expect(
      text, "{use: T, with: {caption: '{a?}', m: '{spans}', w: '{w}'}}",
      equals: "{type: text, text: '{a?}', marks: '{spans}', style: {width: '{100 - -w}', height: '{min(-w, 3) + 20}'}}")
  }

  @Test func marksCanBeAFieldOfAParameter() throws {
    try expect(
      "T: {parameters: {post: null}, layout: {type: text, text: a, marks: post.spans}}",
      "{use: T, with: {post: '{quoted}'}}", equals: "{type: text, text: a, marks: '{quoted.spans}'}")
  }

  @Test func anOptionalParameterIsOptionalInsideOfAFormulaAndAPath() throws {
    let image =
      "T: {parameters: {n: null}, layout: {type: networkImage, url: '{n.a}', style: {width: '{n + 1}', height: "
      + "'{n? + 1}', minWidth: '{2 * n}'}, when: n.b}}"
    try expect(
      image, "{use: T, with: {n: '{likes?}'}}",
      equals: "{type: networkImage, url: '{likes.a?}', style: {width: '{likes? + 1}', height: '{likes? + 1}', "
        + "minWidth: '{2 * likes?}'}, when: likes.b}")
    try expect(
      image, "{use: T, with: {n: '{likes}'}}",
      equals: "{type: networkImage, url: '{likes.a}', style: {width: '{likes + 1}', height: '{likes? + 1}', "
        + "minWidth: '{2 * likes}'}, when: likes.b}")
  }

  @Test func aFormulaIsCalculatedBeforeTheOneThatItIsPutInto() throws {
    try expect(
      "T: {parameters: {n: null}, layout: {type: spec, style: {width: '{n * 2}', height: '{n}'}}}",
      "{use: T, with: {n: '{a? + b?}'}}",
      equals: "{type: spec, style: {width: '{(a? + b?) * 2}', height: '{a? + b?}'}}")
  }

  @Test func aLoopHidesAParameterWithTheNameOfItsVariable() throws {
    try expect(
      "T: {parameters: {user: null}, layout: {type: stack, children: [{type: text, text: '{user.name}'}, "
        + "{type: text, forEach: user.friends, as: user, text: '{user.name}', marks: user.spans, when: user.isNew}]}}",
      "{use: T, with: {user: '{author}'}}",
      equals: "{type: stack, children: [{type: text, text: '{author.name}'}, {type: text, forEach: author.friends, "
        + "as: user, text: '{user.name}', marks: user.spans, when: user.isNew}]}")
  }

  @Test func aParameterWithTheNameOfAFunctionDoesNotReplaceIt() throws {
    try expect(
      "T: {parameters: {min: 10, w: null}, layout: {type: spec, style: {width: '{2 * min(min, w)}'}}}",
      "{use: T, with: {w: '{w}'}}", equals: "{type: spec, style: {width: '{2 * min(10, w)}'}}")
  }

  @Test func aNumberInPlaceOfAnOptionalFieldIsNeverAbsent() throws {
    try expect(
      "T: {parameters: {n: 5}, layout: {type: spec, style: {width: '{n? * 2}', height: '{n?}'}}}", "{use: T}",
      equals: "{type: spec, style: {width: '{5 * 2}', height: 5}}")
    try expect(
      "T: {parameters: {n: 5}, layout: {type: text, font: f, text: '{nan? + n} {2024?}'}}", "{use: T}",
      equals: "{type: text, font: f, text: '{nan? + 5} {2024?}'}")
    #expect(
      mistakes("templates: {T: {layout: {type: spec, style: {width: '{a * 5?}'}}}}\ncells: {A: {layout: {use: T}}}")
        .first?.contains("has a ? after a number") == true)
  }

  @Test(arguments: [
    ("'{a}{b}'", #"with.n: n must be a number or a field such as "{author}""#),
    ("'{u.a} and {b}'", #"with.n: n must be a number or a field such as "{author}""#),
    ("true", #"with.n: n must be a number or a field such as "{author}""#),
    ("null", "with.n: n is a part of a text in the template, and must be a text or a number"),
  ])
  func whatIsNoNumberIsNoPartOfAFormula(value: String, message: String) {
    let found = mistakes(
      "templates: {T: {parameters: [n], layout: {type: text, font: f, text: 'by {n} {n * 2}'}}}\n"
        + "cells: {A: {layout: {use: T, with: {n: \(value)}}}}")
    #expect(found.contains { $0.contains("cells.A.layout." + message) }, "\(found)")
  }

  @Test func aParameterCanHaveASignAlone() throws {
    let spec =
      "T: {parameters: {x: null}, layout: {type: stack, spacing: '{-x}', children: [{type: text, text: 'is {-x}'}]}}"
    try expect(
      spec, "{use: T, with: {x: -8}}", equals: "{type: stack, spacing: 8, children: [{type: text, text: 'is 8'}]}")
    try expect(
      spec, "{use: T, with: {x: 8}}", equals: "{type: stack, spacing: -8, children: [{type: text, text: 'is -8'}]}")
    try expect(
      spec, "{use: T, with: {x: '{w}'}}",
      equals: "{type: stack, spacing: '{(-w)}', children: [{type: text, text: 'is {(-w)}'}]}")
  }

  @Test func aParameterChoosesAValue() throws {
    let templates =
      "Box: {parameters: {isLarge: false}, layout: {type: spec, style: {width: {if: isLarge, then: 80, else: 40}, "
      + "height: {if: isLarge, then: 9}}}}"
    try expect(templates, "{use: Box}", equals: "{type: spec, style: {width: 40}}")
    try expect(
      templates, "{use: Box, with: {isLarge: true}}", equals: "{type: spec, style: {width: 80, height: 9}}")
    try expect(
      templates, "{use: Box, with: {isLarge: '{big}'}}",
      equals: "{type: spec, style: {width: {if: big, then: 80, else: 40}, height: {if: big, then: 9}}}")
  }

  @Test(arguments: [
    ("not: isOff", ""), ("all: [isOn, {not: isOff}]", ""), ("all: [isOn, photo]", "when: {all: [photo]}"),
    ("any: [isOff, photo, {not: likes}]", "when: {any: [photo, {not: likes}]}"), ("field: isOn, equals: true", ""),
    ("not: {all: [isOff, photo]}", ""), ("not: {field: isOn, equals: false}", ""),
    ("not: many", "when: {not: {field: likes, atLeast: 2}}"),
    ("any: [many, isOff]", "when: {any: [{field: likes, atLeast: 2}]}"),
  ])
  func aParameterDecidesAPartOfACondition(condition: String, equals when: String) throws {
    let parameters = "parameters: {isOff: false, isOn: true, many: {field: likes, atLeast: 2}}"
    try expect(
      "T: {\(parameters), layout: {type: stack, children: [{type: spec, when: {\(condition)}}]}}", "{use: T}",
      equals: "{type: stack, children: [{type: spec\(when.isEmpty ? "" : ", " + when)}]}")
    try expect(
      "T: {\(parameters), layout: {type: stack, spacing: {if: {\(condition)}, then: 3, else: 1}}}", "{use: T}",
      equals: when.isEmpty
        ? "{type: stack, spacing: 3}"
        : "{type: stack, spacing: {if: \(when.dropFirst("when: ".count)), then: 3, else: 1}}")
  }

  @Test func aConditionIsAValueOfAParameter() throws {
    try expect(
      "T: {parameters: {c: null}, layout: {type: spec, when: c}}\n"
        + "  U: {parameters: {not: null, isOff: false}, layout: {type: stack, children: [{use: T, with: {c: {not: isOff}}}, "
        + "{use: T, with: {c: '{not}'}}]}}",
      "{use: U, with: {not: {field: likes, below: 3}}}",
      equals: "{type: stack, children: [{type: spec}, {type: spec, when: {field: likes, below: 3}}]}")
    let found = mistakes(
      "templates: {T: {parameters: {c: 3}, layout: {type: spec, when: c}}}\ncells: {A: {layout: {use: T}}}")
    #expect(found.contains { $0.contains("c must be a field, a condition, true or false in a condition") }, "\(found)")
  }

  /// As with a field of the row, the spec remains, and the text is empty.
  @Test func aRequiredPartIsNotRemovedByAParameter() throws {
    try expect(
      "T: {parameters: {isOn: false}, layout: {type: inset, insets: 4, child: {type: text, text: x, when: isOn}}}",
      "{use: T}", equals: "{type: inset, insets: 4, child: {type: text, text: x, when: {any: []}}}")
    try expect(
      "T: {parameters: {isOn: false}, layout: {type: spec, when: isOn}}",
      "{type: stack, children: [{use: T}, {type: inset, insets: 4, child: {use: T}}]}",
      equals: "{type: stack, children: [{type: inset, insets: 4, child: {type: spec, when: {any: []}}}]}")
    try expect(
      "T: {parameters: {isOn: false}, layout: {type: text, text: {if: isOn, then: '{f}'}}}", "{use: T}",
      equals: "{type: text, text: ''}")
    try expect(
      "T: {parameters: {isOn: false}, layout: {type: text, text: {if: isOn, then: '{f}'}, runs: [{text: a}]}}",
      "{use: T}",
      equals: "{type: text, runs: [{text: a}]}")
  }

  /// Each template is as deep as a file may be, so that reading them all would overflow the stack.
  @Test func templatesThatNestDeeplyAreLimited() {
    let depth = 450
    let levels = (1...30).map { level in
      let inner = level == 1 ? "{type: spec}" : "{use: T\(level - 1)}"
      return "T\(level): {layout: \(String(repeating: "{type: stack, children: [", count: depth))\(inner)"
        + "\(String(repeating: "]}", count: depth))}"
    }
    let found = mistakes("templates:\n  \(levels.joined(separator: "\n  "))\ncells: {A: {layout: {use: T30}}}")
    #expect(found.contains { $0.contains("is nested more than 1000 levels deep with its templates") }, "\(found)")
  }

  @Test func templatesUseTemplates() throws {
    let templates = Self.avatar + "\n  Face: {parameters: [of], layout: {use: Avatar, with: {user: '{of}', size: 8}}}"
    try expect(
      templates, "{use: Face, with: {of: '{x}'}}",
      equals: "{type: networkImage, url: '{x.avatar}', style: {preferredSize: [8, 8]}}")
  }

  @Test func anElementOfAUseCanUseTheTemplateToo() throws {
    try expect(
      "Pad: {parameters: [child], layout: {type: inset, insets: 4, child: '{child}'}}",
      "{use: Pad, with: {child: {use: Pad, with: {child: {type: text, text: hi}}}}}",
      equals: "{type: inset, insets: 4, child: {type: inset, insets: 4, child: {type: text, text: hi}}}")
  }

  /// A vowel sign of Bengali and a keycap combine with the brace before them.
  @Test(arguments: ["\u{9c7}\u{9b0}", "\u{20e3}", "\u{301}"])
  func charactersThatCombineFollowABinding(sign: String) throws {
    try expect(
      "Own: {parameters: [name], layout: {type: text, text: '{name}\(sign)'}}",
      "{use: Own, with: {name: '{user.name}'}}",
      equals: "{type: text, text: '{user.name}\(sign)'}")
    try expect(
      "Loop: {parameters: [name], layout: {type: stack, children: [{type: text, forEach: xs, text: '{name}'}]}}",
      "{use: Loop, with: {name: '{item}\(sign)'}}",
      equals: "{type: stack, children: [{type: text, forEach: xs, text: '{item}\(sign)', as: \"item'\"}]}")
  }

  @Test func parametersCanBeNamedAsPartsOfConditions() throws {
    try expect(
      """
      In: {parameters: {any: 0, when: false, field: a}, layout: {type: stack, children: [
          {type: text, text: '{any}'}, {type: text, when: '{when}', text: '{field}'}]}}
        Out: {parameters: [t, shown, x], layout: {use: In, with: {any: '{t}', when: '{shown}', field: x}}}
      """, "{use: Out, with: {t: '{tt}', shown: true, x: y}}",
      equals: "{type: stack, children: [{type: text, text: '{tt}'}, {type: text, text: x}]}")
    try expect(
      """
      In: {parameters: {if: 1, text: x}, layout: {type: text, text: '{if} {text}'}}
        Out: {layout: {use: In, with: {if: 2, text: y}}}
      """, "{use: Out}", equals: "{type: text, text: '2 y'}")
  }

  @Test(arguments: [
    ("{use: Avatr}", #"use: "Avatr" is not in templates (did you mean "Avatar"?)"#),
    ("{use: Avatar}", #"with: needs user, a parameter of template "Avatar" without a default"#),
    (
      "{use: Avatar, with: {user: '{u}', sise: 3}}",
      #"with.sise: is not a parameter of template "Avatar" (did you mean "size"?)"#
    ),
    ("{use: Avatar, with: {user: 3}}", #"with.user: user must be a field such as "{author}""#),
    ("{use: Avatar, spacing: 3}", "spacing: is not a property of an element with use"),
    ("{use: Avatar, as: x, with: {user: '{u}'}}", "as: belongs to a forEach of the same element"),
    ("{use: Loop}", #"use: template "Loop" uses itself: Loop uses Loop"#),
  ])
  func aMistakeInAUseNamesIt(use: String, message: String) {
    let found = mistakes("templates:\n  \(Self.avatar)\n  Loop: {layout: {use: Loop}}\ncells: {A: {layout: \(use)}}")
    #expect(found.contains { $0.contains("cells.A.layout." + message) }, "\(found)")
  }

  @Test func aMistakeInATemplateNamesBothPlaces() {
    let found = mistakes(
      """
      templates:
        Bad:
          parameters: [width]
          layout:
            type: text
            text: x
            style: {width: "{width}", colour: red}
      cells:
        A:
          layout: {use: Bad, with: {width: wide}}
      """)
    #expect(
      found.count == 2
        && found[0].hasPrefix(#"/cells.yaml:9:15: cells.A.layout.style.width: is "wide""#)
        && found[1].hasPrefix("/cells.yaml:9:33: cells.A.layout.style.colour: is not a style property")
        && found.allSatisfy { $0.hasSuffix("(template Bad, used in line 12)") }, "\(found)")
  }

  @Test func aMistakeInAUseInsideOfATemplateIsWhereItIsWritten() {
    let found = mistakes(
      """
      templates:
        Outer:
          layout:
            type: stack
            children:
              - {use: Innner}
      cells:
        A: {layout: {type: stack, children: [{use: Outer}]}}
      """)
    #expect(found.count == 1 && found[0].hasPrefix("/cells.yaml:8:12: "), "\(found)")
    #expect(found[0].hasSuffix(" (template Outer, used in line 10)"), "\(found)")
  }

  @Test func aTemplateThatNothingUsesIsAWarning() throws {
    let cells = try file(
      "templates: {Used: {layout: {type: spec}}, Idle: {layout: {type: zzz}}}\ncells: {A: {layout: {use: Used}}}")
    #expect(
      cells.warnings.map { "\($0.path): \($0.message)" } == [
        "templates.Idle: is used by no element, so that its layout is not checked"
      ])
  }

  @Test func aParameterWithoutAnEffectIsAWarning() throws {
    let cells = try file(
      "templates: {T: {parameters: {size: 1, w: 2}, layout: {type: spec, style: {width: '{w}'}}}}\n"
        + "cells: {A: {layout: {type: stack, children: [{use: T}]}}}")
    #expect(
      cells.warnings.map { "\($0.path): \($0.message)" } == [
        "templates.T.parameters.size: has no effect: the layout of the template does not mention it"
      ])
  }

  @Test func aMistakeInATemplateIsStatedOnce() {
    let found = mistakes("templates: {T: {parameters: {a: 1}}}\ncells: {A: {layout: {use: T}}}")
    #expect(found.count == 1 && found[0].contains("templates.T: needs a layout"), "\(found)")
  }

  @Test(arguments: ["[1, 2]", "[[a]]", "[{a: 1}]", "a"])
  func parametersAreNames(parameters: String) {
    let found = mistakes("templates: {T: {parameters: \(parameters), layout: {type: spec}}}")
    #expect(found.count == 1 && found[0].contains("templates.T.parameters: must be names"), "\(found)")
  }

  @Test(arguments: ["2", "2a", "a-b"]) func aNameOfAParameterIsNoNumberAndNoFormula(name: String) {
    let found = mistakes("templates: {T: {parameters: {\(name): 10}, layout: {type: spec}}}\ncells: {}")
    #expect(found.count == 1 && found[0].contains(" has letters, digits and _, and begins with no digit"), "\(found)")
  }

  @Test func templatesInsideEachOtherAreLimited() {
    let templates = (0...32).map { "T\($0): {layout: \($0 == 32 ? "{type: spec}" : "{use: T\($0 + 1)}")}" }
    let text = "templates:\n  \(templates.joined(separator: "\n  "))\ncells: {A: {layout: {use: T"
    #expect(mistakes(text + "1}}}").isEmpty)
    let found = mistakes(text + "0}}}")
    #expect(found.contains { $0.contains("use: is inside more than 32 templates: T0 uses T1 uses") }, "\(found)")
  }

  @Test func templatesThatMultiplyAreLimited() {
    let levels = (1...12).map { level in
      let child = level == 1 ? "{type: spec}" : "{use: T\(level - 1)}"
      return
        "T\(level): {layout: {type: stack, children: [\(Array(repeating: child, count: 10).joined(separator: ", "))]}}"
    }
    let found = mistakes("templates:\n  \(levels.joined(separator: "\n  "))\ncells: {A: {layout: {use: T12}}}")
    #expect(found.contains { $0.contains("has more than 1000000 values with its templates") })
  }

  @Test func textsThatTemplatesMultiplyAreLimited() {
    let parameters = "parameters: {x: null}, layout:"
    let levels = (1...20).map { level in
      "T\(level): {\(parameters) {use: T\(level - 1), with: {x: \"\(String(repeating: "{x}", count: 8))\"}}}"
    }
    let file = """
      templates:
        T0: {\(parameters) {type: text, text: "{x}"}}
        \(levels.joined(separator: "\n  "))
      cells: {A: {layout: {use: T20, with: {x: a}}}}
      """
    #expect(mistakes(file).contains { $0.contains("makes more than 64 MiB of texts with the other templates") })
    let texts = Array(repeating: "{type: text, text: \"{x}\"}", count: 100).joined(separator: ", ")
    let wide = """
      templates: {T: {\(parameters) {type: stack, children: [\(texts)]}}}
      cells: {A: {layout: {use: T, with: {x: \(String(repeating: "a", count: 1 << 20))}}}}
      """
    #expect(mistakes(wide).contains { $0.contains("has more than 64 MiB of texts with its templates") })
  }

  @Test func aRowsOwnLayoutHasNoTemplates() throws {
    let binder = RowBinder(try Programs.compile("{}"))
    #expect(throws: CellError("uses a template, but only cells files have templates", path: ["layout"])) {
      try binder.read(Programs.row(#"{"layout":{"use":"Avatar"}}"#))
      try binder.bind(SizeRange(width: 100))
    }
  }
}
