import LayoutEngine
import TextMeasuring

/// The element types that are nodes. Each node has a record in the frame table.
extension CellFormat {
  private static let fontName = PropertyFormat(.font, .font, "A font of the cells file; without it the first one.")

  private static let maximumNumberOfLines = PropertyFormat(
    .maximumNumberOfLines, .count, default: "0", "The largest number of lines; 0 is any number.")
  private static let truncation = PropertyFormat(
    .truncation, .text, default: "\"…\"", "The end of the last line when the text is cut.")

  private static let layoutDirection = PropertyFormat(
    .layoutDirection, .choice(LayoutDirection.self), generation: .galley,
    "The direction of its subnodes, which are mirrored in it if it is rtl; without it that of the list (semanticContentAttribute)."
  )

  static let nodes: [ElementFormat] = [
    ElementFormat(
      type: .node, className: "ASDisplayNode, ASCellNode", generation: .all,
      summary:
        "A node with a layout of its own, with a size that is measured elsewhere, or with neither: then it fills the room it gets where that is bounded in both directions, and is empty otherwise.",
      properties: [
        PropertyFormat(
          .layout, .element,
          "Its own layout. Inside it {constrainedSize.max.width} is that of the node, and the nodes in it are its subnodes."
        ),
        PropertyFormat(
          .calculatedSize, .sizes,
          "The size that calculateSizeThatFits: would return; of several sizes the first whose width fits, or else the last."
        ),
        layoutDirection,
      ],
      example: """
        type: node
        id: map
        calculatedSize: [160, 90]
        """),
    ElementFormat(
      type: .text, className: "ASTextNode", generation: .all,
      summary:
        "A text, measured with the real font files. A row whose text has a property that its platform does not lay out is bad.",
      properties: [
        PropertyFormat(.text, .text, "The string of the text. A text has either text or runs."),
        PropertyFormat(
          .runs, .runs, "Parts of the text in different fonts, or a field with an array of them: runs: \"{spans}\"."),
        fontName,
        PropertyFormat(
          .marks, .field, generation: .galley,
          "Parts of the text in other fonts, such as mentions and links: an array of {start, end or length, font, lineHeight, letterSpacing, baselineOffset, url, kind}; of parts that overlap the later one counts."
        ),
        PropertyFormat(
          .markFont, .font, generation: .galley, "The font of marks that name none; without it that of the text."),
        PropertyFormat(
          .markOffsets, .choice(MarkOffsets.self), default: "utf16", generation: .galley,
          "What start, end and length of marks count: UTF-16 units, bytes of UTF-8, or Unicode scalars."),
        maximumNumberOfLines, truncation,
        PropertyFormat(.lineHeight, .length, "The height of a line in points; without it that of the font."),
        PropertyFormat(
          .lineSpacing, .number, default: "0",
          "Points between two lines. It is not laid out on flutter, whose texts have no such property, and on android not beside a line height, which replaces it."
        ),
        PropertyFormat(
          .paragraphSpacing, .length, default: "0",
          "Points after each paragraph but the last. A paragraph ends with a newline. This, the indents, pointSizeScaleFactors, attachments and baselineOffset are not laid out on android, reactNative, compose and flutter."
        ),
        PropertyFormat(
          .paragraphSpacingBefore, .length, default: "0", "Points before each paragraph but the first."),
        PropertyFormat(
          .firstLineHeadIndent, .length, default: "0",
          "Points from the side at which a paragraph begins to its first line."),
        PropertyFormat(
          .headIndent, .length, default: "0", "Points from the side at which a paragraph begins to its other lines."),
        PropertyFormat(
          .tailIndent, .number, default: "0",
          "Points, with a minus, from the other side to the ends of lines; if positive, from the side at which a paragraph begins."
        ),
        PropertyFormat(
          .pointSizeScaleFactors, .factors,
          "Up to 8 factors below 1 of its font sizes, tried one after the other until its longest word, its lines and its height fit; the size of a font is then a whole number of points."
        ),
        PropertyFormat(
          .exclusionPaths, .exclusionPaths,
          "Up to 8 rectangles at the left or right side of the text beside which its lines are shorter, in points from the top of the lines (CSS floats). Indents are added to their widths. They are laid out on texture and web."
        ),
        PropertyFormat(
          .baseDirection, .choice(BaseDirection.self), default: "auto",
          "The direction of its paragraphs; auto is that of the first letter of each."),
        PropertyFormat(.letterSpacing, .number, "Points after each character; without it that of the font."),
        PropertyFormat(
          .additionalTruncationMessage, .text,
          "What follows the truncation string and a space when the text is cut, such as more. Without a stated truncation it stands alone."
        ),
        PropertyFormat(
          .textContainerInset, .finiteInsets, default: "0", "Points between the lines and the frame."),
        PropertyFormat(
          .alignment, .choice(TextAlignment.self), default: "start",
          "The side of the frame at which the lines are drawn: start is where their paragraph begins."),
        PropertyFormat(
          .whiteSpace, .choice(WhiteSpace.self), default: "preserve", generation: .galley,
          "Whether spaces and newlines are kept (CSS pre-wrap) or become one space (CSS normal)."),
        PropertyFormat(
          .lang, .language, generation: .galley,
          "The language, such as ja or zh-Hant, on which the forms of letters and the ends of lines depend (HTML), on texture and web; without it that of English texts."
        ),
        PropertyFormat(
          .overflowWrap, .choice(OverflowWrap.self), default: "anywhere", generation: .galley,
          "Whether a word that is wider than a line is broken (CSS anywhere and break-word) or exceeds the line. This and the properties of CSS that follow are laid out on texture and web."
        ),
        PropertyFormat(
          .hyphens, .choice(Hyphens.self), default: "manual", generation: .galley,
          "Whether lines can end with a hyphen only at soft hyphens, or also where the dictionary of the text's language divides a word (CSS auto)."
        ),
        PropertyFormat(
          .wordBreak, .choice(WordBreak.self), default: "normal", generation: .galley,
          "Whether lines can end between letters of any script (CSS break-all), or of none without a dictionary (CSS keep-all)."
        ),
        PropertyFormat(
          .lineBreak, .choice(LineBreak.self), default: "auto", generation: .galley,
          "How strictly lines of East Asian texts end, or whether they end between any characters (CSS)."),
        PropertyFormat(
          .textWrap, .choice(TextWrap.self), default: "wrap", generation: .galley,
          "Whether lines are as full as possible, about equally wide (balance), or end without a single short word (pretty; CSS). A text that is cut is filled as with wrap."
        ),
        PropertyFormat(
          .tabSize, .length, default: "8", generation: .galley, "Spaces of the first run between two tab stops (CSS)."),
        PropertyFormat(
          .breakStrategy, .choice(BreakStrategy.self), generation: .galley,
          "The choice of lines on android, reactNative and compose; without it that of platforms."),
      ],
      example: """
        type: text
        id: caption
        text: "A caption that is cut after its second line when the list is narrow"
        font: body
        maximumNumberOfLines: 2
        """),
    ElementFormat(
      type: .image, className: "ASImageNode", generation: .all,
      summary: "A picture that is already loaded.",
      properties: [
        PropertyFormat(
          .imageSize, .size,
          "Its size in points. Without it the image fills a range that is bounded, and has no size otherwise.")
      ],
      example: """
        type: image
        id: icon
        imageSize: [24, 24]
        """),
  ]

  /// The properties of each type beside its `url`.
  private static let furtherResources: [ElementType: [PropertyFormat]] = [
    .networkImage: [
      PropertyFormat(
        .defaultImageSize, .size,
        "The size in points of its defaultImage, which is that of the node until the picture is loaded. State the size of the picture in its style, or the cell changes then."
      )
    ],
    .multiplexImage: [
      PropertyFormat(
        .images, .images,
        "Its images, the best one first, each a record of the resource table with its own size in pixels, after that of url."
      )
    ],
    .video: [poster], .videoPlayer: [poster],
  ]

  private static let poster = PropertyFormat(
    .posterUrl, .text,
    "The URL of the image that is shown until it plays, a record of the resource table with the type networkImage."
  )

  static let contents: [ElementFormat] =
    [
      (ElementType.networkImage, "ASNetworkImageNode", "A picture"),
      (.multiplexImage, "ASMultiplexImageNode", "A picture in several qualities"), (.video, "ASVideoNode", "A video"),
      (.videoPlayer, "ASVideoPlayerNode", "A video with controls"),
    ].map { type, className, what in
      ElementFormat(
        type: type, className: className, generation: .all,
        summary:
          "\(what) that is fetched: it has no size of its own, so give it width and height, or put it into a ratio. Without a size it is an error of the row.",
        properties: [PropertyFormat(.url, .text, "Its URL, which the resource table has for prefetching.")]
          + (furtherResources[type] ?? []),
        example: """
          type: \(type)
          id: media
          url: "https://media.example/1"
          style: {width: 160, height: 90}
          """)
    } + [
      ElementFormat(
        type: .button, className: "ASButtonNode", generation: .all,
        summary: "An image and a title, one after the other, in the middle.",
        properties: [
          PropertyFormat(.title, .text, "Its title; an empty one is left out."), fontName,
          PropertyFormat(.imageSize, .size, "The size of its image in points; without it there is no image."),
          PropertyFormat(.contentSpacing, .number, default: "8", "Points between image and title."),
          PropertyFormat(
            .laysOutHorizontally, .boolean, default: "true", "Whether the title is beside the image or below it."),
          PropertyFormat(.contentEdgeInsets, .insets, default: "0", "Points around image and title."),
          PropertyFormat(
            .imageAlignment, .choice(ElementDraft.imageAlignments), default: "beginning",
            "Whether the image is before or after the title."),
          PropertyFormat(
            .contentHorizontalAlignment, .choice(HorizontalAlignment.self), default: "middle",
            "Where image and title are in a button that is wider than they are."),
          PropertyFormat(
            .contentVerticalAlignment, .choice(VerticalAlignment.self), default: "center",
            "Where image and title are in a button that is higher than they are."),
          PropertyFormat(
            .backgroundImage, .boolean, default: "false",
            "Whether it has a background image, which is a node of its own behind image, title and contentEdgeInsets."),
          maximumNumberOfLines, truncation, layoutDirection,
        ],
        example: """
          type: button
          id: like
          title: "Like"
          font: body
          imageSize: [16, 16]
          contentEdgeInsets: 6
          """),
      ElementFormat(
        type: .scroll, className: "ASScrollNode", generation: .second,
        summary:
          "A node with a content that scrolls inside it, such as a carousel. The content is a node of its own in the frame table, named carousel.content, whose size is the contentSize. Where the parent has no length, the scroll node has the smallest one: along a stack give it a flexBasis, across it a length and alignSelf: stretch.",
        properties: [
          PropertyFormat(
            .layout, .element,
            "The layout of the content, which is measured without a limit along the axes that scroll."),
          PropertyFormat(
            .scrollableDirections, .choice(ScrollableDirections.self), default: "vertical",
            "The axes along which the content scrolls."),
          layoutDirection,
        ],
        example: """
          type: scroll
          id: carousel
          scrollableDirections: horizontal
          style: {flexBasis: 80}
          layout:
            type: stack
            spacing: 8
            children:
              - {type: node, calculatedSize: [120, 80]}
              - {type: node, calculatedSize: [120, 80]}
              - {type: node, calculatedSize: [120, 80]}
          """),
    ]
}
