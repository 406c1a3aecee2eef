import LayoutEngine

/// The cells format, described once: the parser's tables, the JSON Schema, `galley help cells` and the reference are
/// made from this.
public enum CellFormat {
  /// Properties that every element can have.
  public static let everyElement: [PropertyFormat] = [
    PropertyFormat(.type, .choice(ElementType.names), required: true, "Which element it is."),
    PropertyFormat(
      .id, .name,
      "Its name in the frame table; inside forEach the item's number follows: chip.0. A node without one is named by its type and its place: text#3."
    ),
    PropertyFormat(.style, .style, "What it asks of its parent: sizes, flexibility, spacing, position."),
    PropertyFormat(
      .when, .condition, generation: .galley,
      "The element is there only if the condition holds (Automatic Subnode Management)."),
    PropertyFormat(
      .forEach, .field, generation: .galley, "The element once per item of an array; only inside children."),
    PropertyFormat(
      .as, .name, default: "item", generation: .galley, "The name of the item in bindings: as: comment, {comment.text}."
    ),
    PropertyFormat(.limit, .count, generation: .galley, "The number of items at most."),
  ]

  /// Properties of `style`.
  public static let style: [PropertyFormat] = [
    PropertyFormat(.width, .dimension, default: "auto", generation: .second, "The width."),
    PropertyFormat(.height, .dimension, default: "auto", generation: .second, "The height."),
    PropertyFormat(
      .minWidth, .dimension, default: "auto", generation: .second,
      "The smallest width; it overrides maxWidth and width."),
    PropertyFormat(
      .minHeight, .dimension, default: "auto", generation: .second,
      "The smallest height; it overrides maxHeight and height."),
    PropertyFormat(
      .maxWidth, .dimension, default: "auto", generation: .second, "The largest width; it overrides width."),
    PropertyFormat(
      .maxHeight, .dimension, default: "auto", generation: .second, "The largest height; it overrides height."),
    PropertyFormat(.preferredSize, .size, generation: .second, "width and height in points at once."),
    PropertyFormat(.minSize, .size, generation: .second, "minWidth and minHeight in points at once."),
    PropertyFormat(.maxSize, .size, generation: .second, "maxWidth and maxHeight in points at once."),
    PropertyFormat(.preferredLayoutSize, .dimensions, generation: .second, "width and height at once."),
    PropertyFormat(.minLayoutSize, .dimensions, generation: .second, "minWidth and minHeight at once."),
    PropertyFormat(.maxLayoutSize, .dimensions, generation: .second, "maxWidth and maxHeight at once."),
    PropertyFormat(
      .preferredFrameSize, .size, generation: .first,
      "The size of a node's content, and an exact sizeRange; in 2.x it is preferredSize."),
    PropertyFormat(
      .sizeRange, .sizeRange, generation: .first,
      "For children of a static: the smallest and the largest size. Without min it begins at 0, without max it is unbounded."
    ),
    PropertyFormat(
      .flexGrow, .flexFactor, default: "0",
      "For children of a stack: the share of the room that is left. 1.x: true or false."),
    PropertyFormat(
      .flexShrink, .flexFactor, default: "0",
      "For children of a stack: the weight with which it gives up length when there is too little. 1.x: true or false."),
    PropertyFormat(
      .flexBasis, .dimension, default: "auto", "For children of a stack: the length before it grows or shrinks."),
    PropertyFormat(
      .alignSelf, .choice(StackLayoutAlignSelf.self), default: "auto",
      "For children of a stack: overrides the stack's alignItems."),
    PropertyFormat(.spacingBefore, .number, default: "0", "For children of a stack: points before it."),
    PropertyFormat(.spacingAfter, .number, default: "0", "For children of a stack: points after it."),
    PropertyFormat(
      .ascender, .number, default: "0",
      "For children of a stack that aligns baselines: the first baseline below the top."),
    PropertyFormat(
      .descender, .number, default: "0",
      "For children of a stack that aligns baselines: the last baseline relative to the bottom, so mostly negative."),
    PropertyFormat(.layoutPosition, .point, default: "[0, 0]", "For children of an absolute or static: where it is."),
  ]

  /// Properties of a run of a text.
  public static let run: [PropertyFormat] = [
    PropertyFormat(.text, .text, required: true, "What it says."),
    PropertyFormat(.font, .font, "A font of the cells file; without it that of the text."),
    PropertyFormat(.lineHeight, .length, "Points a line; without it that of the text."),
    PropertyFormat(.letterSpacing, .number, "Points after each character; without it that of the text."),
  ]

  /// All element types, in the order of their codes in the frame table.
  public static let elements: [ElementFormat] = containers + placers + nodes + contents

  /// The element type of this name.
  public static func element(named name: String) -> ElementFormat? { elements.first { $0.name == name } }

  static func properties(of type: ElementType) -> [PropertyFormat] {
    elements.first { $0.type == type }?.properties ?? []
  }
}
