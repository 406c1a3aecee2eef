import LayoutEngine

/// The only description of the cells format. The parser's tables, the JSON Schema, `galley help cells` and the
/// reference are made from it.
public enum CellFormat {
  /// The properties that every element can have.
  public static let everyElement: [PropertyFormat] =
    [
      PropertyFormat(.type, .choice { ElementType.names }, required: true, "The type of the element."),
      PropertyFormat(
        .id, .name,
        "Its name in the frame table; inside forEach the item's number follows: chip.0. A node without an id is named by its type and its index: text#3."
      ),
      PropertyFormat(.style, .style, "Its sizes, flexibility, spacing and position, which the parent uses."),
      PropertyFormat(
        .when, .condition, generation: .galley,
        "The element is present only if the condition holds (Automatic Subnode Management)."),
      PropertyFormat(
        .forEach, .field, generation: .galley,
        "Repeats the element for each item of an array; only inside children. A row without the array has no items."),
    ] + item

  /// The properties of a `forEach`.
  private static let item: [PropertyFormat] = [
    PropertyFormat(
      .as, .name, default: "item", generation: .galley, "The name of the item in bindings: as: comment, {comment.text}."
    ),
    PropertyFormat(.limit, .constantCount, generation: .galley, "The largest number of items."),
  ]

  /// The properties of `style`.
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
    PropertyFormat(.preferredSize, .size, generation: .second, "Sets width and height, in points."),
    PropertyFormat(.minSize, .size, generation: .second, "Sets minWidth and minHeight, in points."),
    PropertyFormat(.maxSize, .size, generation: .second, "Sets maxWidth and maxHeight, in points."),
    PropertyFormat(.preferredLayoutSize, .dimensions, generation: .second, "Sets width and height."),
    PropertyFormat(.minLayoutSize, .dimensions, generation: .second, "Sets minWidth and minHeight."),
    PropertyFormat(.maxLayoutSize, .dimensions, generation: .second, "Sets maxWidth and maxHeight."),
    PropertyFormat(
      .preferredFrameSize, .size, generation: .first,
      "The size of a node's content, and an exact sizeRange; in 2.x it is preferredSize."),
    PropertyFormat(
      .sizeRange, .sizeRange, generation: .first,
      "For children of a static: the smallest and the largest size. Without min it begins at 0, without max it is unbounded."
    ),
    PropertyFormat(
      .flexGrow, .flexFactor, default: "0",
      "For children of a stack: the share of the remaining room. 1.x: true or false."),
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
    PropertyFormat(
      .layoutPosition, .point, default: "[0, 0]", "For children of an absolute or static: the position in points."),
  ]

  /// The properties of a run of a text.
  public static let run: [PropertyFormat] =
    [
      PropertyFormat(.text, .text, "The string of the run. A run has either text or an attachment."),
      PropertyFormat(
        .attachment, .size,
        "The size in points of what it shows instead, such as an image, a chip or a custom emoji, which stands in the line like a character. It grows with the text."
      ),
      PropertyFormat(
        .baselineOffset, .number, default: "0",
        "Points by which it is above the baseline, or below it if negative; of an attachment its lower edge. A superscript is a run in a smaller font, about a third of the text's size above it."
      ),
      PropertyFormat(.font, .font, "A font of the cells file; without it that of the text."),
      PropertyFormat(.lineHeight, .length, "The height of a line in points; without it that of the text."),
      PropertyFormat(.letterSpacing, .number, "Points after each character; without it that of the text."),
      PropertyFormat(
        .url, .text, generation: .galley,
        "What it links to, or the URL of its attachment. With --lines, texts.arrow has the rectangles of such runs."),
      PropertyFormat(
        .kind, .text, generation: .galley, "What it is, such as mention or hashtag, which texts.arrow states too."),
      PropertyFormat(.forEach, .field, generation: .galley, "Repeats the run for each item of an array."),
    ] + item

  /// All element types, in the order of their codes in the frame table.
  public static let elements: [ElementFormat] = containers + placers + nodes + contents

  /// Returns the element type of this name, or nil.
  public static func element(named name: String) -> ElementFormat? { elements.first { $0.name == name } }
}
