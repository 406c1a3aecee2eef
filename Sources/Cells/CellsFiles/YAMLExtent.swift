import CYaml

/// The number and the depth of the values in a YAML text, in which the values of an alias count for each use.
///
/// Yams composes a value for each alias and compares the keys of mappings, so that a few lines of nested aliases would take
/// minutes. The events of the parser tell the number before anything is composed.
struct YAMLExtent {
  private(set) var values = 0
  private(set) var depth = 0

  /// The sizes of the open collections.
  private var open: [(anchor: String?, values: Int, depth: Int)] = []
  private var anchors: [String: (values: Int, depth: Int)] = [:]

  /// Counts the values of a text up to the first error, which composing the text reports.
  init(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var parser = yaml_parser_t()
      yaml_parser_initialize(&parser)
      defer { yaml_parser_delete(&parser) }
      yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
      yaml_parser_set_input_string(&parser, bytes.baseAddress, bytes.count)
      var event = yaml_event_t()
      while yaml_parser_parse(&parser, &event) == 1 {
        let isEnd = event.type == YAML_STREAM_END_EVENT
        count(event)
        yaml_event_delete(&event)
        if isEnd || depth > SourceNode.maxDepth { break }
      }
    }
  }

  private mutating func count(_ event: yaml_event_t) {
    switch event.type {
    case YAML_SCALAR_EVENT: add(1, depth: 0, anchor: Self.name(event.data.scalar.anchor))
    case YAML_ALIAS_EVENT:
      let known = Self.name(event.data.alias.anchor).flatMap { anchors[$0] }
      add(known?.values ?? 1, depth: known?.depth ?? 0, anchor: nil)
    case YAML_SEQUENCE_START_EVENT: start(Self.name(event.data.sequence_start.anchor))
    case YAML_MAPPING_START_EVENT: start(Self.name(event.data.mapping_start.anchor))
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
      if let last = open.popLast() { add(last.values, depth: last.depth, anchor: last.anchor) }
    default: break
    }
  }

  private mutating func start(_ anchor: String?) {
    open.append((anchor, 1, 0))
    depth = max(depth, open.count)
  }

  private mutating func add(_ count: Int, depth inner: Int, anchor: String?) {
    if let anchor { anchors[anchor] = (count, inner) }
    depth = max(depth, open.count + inner)
    guard let last = open.indices.last else {
      values = Self.sum(values, count)
      return
    }
    open[last].values = Self.sum(open[last].values, count)
    open[last].depth = max(open[last].depth, inner + 1)
  }

  /// Returns a sum that stays far below the largest number.
  private static func sum(_ first: Int, _ second: Int) -> Int { min(first + second, SourceNode.maxNodes + 1) }

  private static func name(_ anchor: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    anchor.map { String(cString: $0) }
  }
}
