import Buffers

/// The type of an element, as `type` names it.
public enum ElementType: UInt8, CaseIterable, NamedChoice, BitwiseCopyable, Sendable {
  case stack, inset, overlay, background, center, ratio, relative, absolute, `static`, corner, wrapper, spec
  case node, text, image, networkImage, multiplexImage, video, videoPlayer, button, scroll

  /// Whether the element is a node. Nodes are in the frame table; layout specs are not.
  public var isNode: Bool {
    switch self {
    case .node, .text, .image, .networkImage, .multiplexImage, .video, .videoPlayer, .button, .scroll: true
    default: false
    }
  }

  /// Whether the element shows something that is fetched later, so that a size of 0 is a mistake.
  public var needsSize: Bool {
    switch self {
    case .networkImage, .multiplexImage, .video, .videoPlayer: true
    default: false
    }
  }

  /// The keys that an element of this type can have.
  var keys: PropertyKeys { Self.keys[Int(rawValue)] }

  private static let keys = CellFormat.elements.map { PropertyKeys(CellFormat.everyElement + $0.properties) }

  /// The names of all types by `rawValue`, which is a type's code in the frame table.
  public static let names = allCases.map { "\($0)" }

  private static let nameBytes = names.map { ByteString(keeping: $0) }
  static let numbers = NameIndex(nameBytes)

  public var name: String { Self.names[Int(rawValue)] }

  var nameBytes: ByteString { Self.nameBytes[Int(rawValue)] }
}
