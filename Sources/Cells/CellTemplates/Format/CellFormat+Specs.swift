import LayoutEngine

/// The element types that are layout specs.
extension CellFormat {
  private static let child = PropertyFormat(.child, .element, required: true, "The element that it lays out.")
  private static let children = PropertyFormat(.children, .elements, default: "[]", "The elements that it lays out.")

  static let containers: [ElementFormat] = [
    ElementFormat(
      type: .stack, className: "ASStackLayoutSpec", generation: .all,
      summary:
        "Lays its children out one after the other, flexible by Texture's rules, which are not those of a CSS flexbox. Children longer than the stack shrink only if they have flexShrink; children with flexGrow share the remaining room.",
      properties: [
        PropertyFormat(.direction, .choice(StackLayoutDirection.self), default: "horizontal", "The main axis."),
        PropertyFormat(.spacing, .number, default: "0", "Points between two children."),
        PropertyFormat(
          .justifyContent, .choice(StackLayoutJustifyContent.self), default: "start",
          "Where the children are along the main axis if there is remaining room."),
        PropertyFormat(
          .alignItems, .choice(StackLayoutAlignItems.self), default: "stretch",
          "Where the children are across the main axis. With generation: 1 the default is start."),
        PropertyFormat(
          .flexWrap, .choice(StackLayoutFlexWrap.self), default: "noWrap", generation: .second,
          "Whether children that do not fit begin a new line. A stack that its parent does not stretch is as wide as its longest line: to align all lines within the cell, give it or its parent a width."
        ),
        PropertyFormat(
          .alignContent, .choice(StackLayoutAlignContent.self), default: "start", generation: .second,
          "Where the lines are across the main axis if there is remaining room."),
        PropertyFormat(.lineSpacing, .number, default: "0", generation: .second, "Points between two lines."),
        PropertyFormat(
          .horizontalAlignment, .choice(HorizontalAlignment.self), default: "none",
          "Sets justifyContent of a horizontal stack, alignItems of a vertical one."),
        PropertyFormat(
          .verticalAlignment, .choice(VerticalAlignment.self), default: "none",
          "Sets justifyContent of a vertical stack, alignItems of a horizontal one."),
        PropertyFormat(
          .baselineRelativeArrangement, .boolean, default: "false", generation: .onlyFirst,
          "Whether children are spaced from baseline to top in a vertical stack."),
        children,
      ],
      example: """
        type: stack
        direction: vertical
        spacing: 4
        alignItems: start
        children:
          - {type: text, id: name, text: "Ada Lovelace", font: bold}
          - {type: text, id: time, text: "two hours ago", font: body}
        """),
    ElementFormat(
      type: .inset, className: "ASInsetLayoutSpec", generation: .all,
      summary:
        "Lays its child out with distances around it. An edge of \"inf\" is left free: the child keeps its size and moves to the other side.",
      properties: [
        PropertyFormat(.insets, .insets, default: "0", "Points between its edges and the child."), child,
      ],
      example: """
        type: inset
        insets: {top: 8, left: 12, bottom: 8, right: 12}
        child: {type: text, text: "With room around it", font: body}
        """),
    ElementFormat(
      type: .overlay, className: "ASOverlayLayoutSpec", generation: .all,
      summary: "Lays its child out, and another element over it in exactly the child's size.",
      properties: [child, PropertyFormat(.overlay, .element, required: true, "The element over the child.")],
      example: """
        type: overlay
        child: {type: networkImage, id: photo, url: "https://img.example/1.jpg", style: {width: 160, height: 90}}
        overlay:
          type: inset
          insets: {top: inf, left: 8, bottom: 8, right: 8}
          child: {type: text, text: "Caption on the photo", font: body}
        """),
    ElementFormat(
      type: .background, className: "ASBackgroundLayoutSpec", generation: .all,
      summary: "Lays its child out, and another element behind it in exactly the child's size.",
      properties: [child, PropertyFormat(.background, .element, required: true, "The element behind the child.")],
      example: """
        type: background
        child:
          type: inset
          insets: 10
          child: {type: text, text: "On a bubble", font: body}
        background: {type: node, id: bubble}
        """),
    ElementFormat(
      type: .center, className: "ASCenterLayoutSpec", generation: .all,
      summary: "Lays its child out in the middle. It is as large as it may be, unless sizing makes it smaller.",
      properties: [
        PropertyFormat(
          .centering, .choice(ElementDraft.centerings), default: "xy", "The axes along which the child is centred."),
        PropertyFormat(
          .sizing, .choice(ElementDraft.centerSizings), default: "default",
          "The axes along which it is as small as its child."),
        child,
      ],
      example: """
        type: center
        sizing: minimumY
        child: {type: image, id: icon, imageSize: [48, 48]}
        """),
    ElementFormat(
      type: .ratio, className: "ASRatioLayoutSpec", generation: .all,
      summary: "Gives its child a height that is a multiple of its width: what a picture needs before it is loaded.",
      properties: [
        PropertyFormat(.ratio, .ratio, required: true, "Height over width, or the size of what is shown."), child,
      ],
      example: """
        type: ratio
        ratio: [1080, 540]
        child: {type: networkImage, id: photo, url: "https://img.example/1.jpg"}
        """),
    ElementFormat(
      type: .relative, className: "ASRelativeLayoutSpec", generation: .all,
      summary: "Lays its child out at a corner, at an edge or in the middle.",
      properties: [
        PropertyFormat(
          .horizontal, .choice(RelativeLayoutPosition.self), default: "none", "Where the child is from left to right."),
        PropertyFormat(
          .vertical, .choice(RelativeLayoutPosition.self), default: "none", "Where the child is from top to bottom."),
        PropertyFormat(
          .sizing, .choice(RelativeLayoutSizing.self), default: "default",
          "The axes along which it is as small as its child."),
        child,
      ],
      example: """
        type: relative
        horizontal: end
        vertical: start
        sizing: minimumHeight
        child: {type: image, id: badge, imageSize: [24, 24]}
        """),
  ]

  static let placers: [ElementFormat] = [
    ElementFormat(
      type: .absolute, className: "ASAbsoluteLayoutSpec", generation: .second,
      summary:
        "Lays each child out at its style's layoutPosition. It fills the room it gets, or is as small as its children with sizing: sizeToFit.",
      properties: [
        PropertyFormat(
          .sizing, .choice(AbsoluteLayoutSizing.self), default: "default", "Whether it fits its children."),
        children,
      ],
      example: """
        type: absolute
        sizing: sizeToFit
        children:
          - {type: image, id: photo, imageSize: [120, 80]}
          - {type: image, id: play, imageSize: [24, 24], style: {layoutPosition: [48, 28]}}
        """),
    ElementFormat(
      type: .static, className: "ASStaticLayoutSpec", generation: .first,
      summary:
        "Lays each child out at its style's layoutPosition in its style's sizeRange, and is as large as they are. In 2.x it is absolute.",
      properties: [children],
      example: """
        type: static
        children:
          - {type: networkImage, id: photo, url: "https://img.example/1.jpg", style: {sizeRange: [120, 80]}}
          - {type: image, id: play, imageSize: [24, 24], style: {layoutPosition: [48, 28]}}
        """),
    ElementFormat(
      type: .corner, className: "ASCornerLayoutSpec", generation: .second,
      summary: "Lays its child out, and another element with its middle on one of the child's corners.",
      properties: [
        child, PropertyFormat(.corner, .element, required: true, "The element on the corner."),
        PropertyFormat(.location, .choice(CornerLayoutLocation.self), default: "topLeft", "Which corner."),
        PropertyFormat(.offset, .point, default: "[0, 0]", "Points to move it by."),
        PropertyFormat(
          .wrapsCorner, .boolean, default: "false", "Whether the spec is as large as both, or as large as the child."),
      ],
      example: """
        type: stack
        children:
          - type: corner
            location: topRight
            wrapsCorner: true
            style: {alignSelf: start}
            child: {type: image, id: avatar, imageSize: [48, 48]}
            corner: {type: image, id: badge, imageSize: [16, 16]}
        """),
    ElementFormat(
      type: .wrapper, className: "ASWrapperLayoutSpec", generation: .second,
      summary: "Lays its children out over each other, each in the whole room, and is as large as the largest.",
      properties: [children],
      example: """
        type: wrapper
        style: {minHeight: 40}
        children:
          - {type: text, text: "In a box of its own", font: body}
        """),
    ElementFormat(
      type: .spec, className: "ASLayoutSpec", generation: .all,
      summary: "An empty spec: a spacer between the children of a stack.", properties: [],
      example: """
        type: spec
        style: {flexGrow: 1}
        """),
  ]
}
