import Buffers

/// The format of an input of rows, which is recognized by its first bytes. It is JSON Lines, which may be compressed,
/// or another format, for which there is a hint how to convert it.
enum RowsFormat {
  /// The number of bytes in the longest magic number.
  static let magicBytes = 16
  /// The number of bytes by which compressed data are recognized.
  static let compressionMagicBytes = 4
  /// The number of lines that are examined if the first one is not a JSON object.
  private static let lines = 5

  /// Returns a decoder for compressed data, or nil for other data.
  static func decompressor(for head: [UInt8]) -> (any Decompressor)? {
    if head.starts(with: [0x1f, 0x8b]) { return GzipDecompressor() }
    // A skippable frame may come first.
    if head.starts(with: [0x28, 0xb5, 0x2f, 0xfd])
      || head.count >= 4 && head[0] & 0xf0 == 0x50
        && head[1...3].elementsEqual([0x2a, 0x4d, 0x18])
    {
      return ZstdDecompressor()
    }
    return nil
  }

  /// Other formats with the bytes with which they begin, and with the way to convert FILE to rows.
  private static let others: [(magic: [UInt8], name: String, hint: String)] = [
    (Array("PAR1".utf8), "Parquet", polars("read_parquet")),
    (Array("ARROW1".utf8), "an Arrow file", polars("read_ipc")),
    ([0xff, 0xff, 0xff, 0xff], "an Arrow stream", polars("read_ipc_stream")),
    (Array("Obj\u{1}".utf8), "Avro", polars("read_avro")),
    (
      Array("PK\u{3}\u{4}".utf8), "an Excel workbook or another zip archive",
      "save the sheet as JSON Lines, or unpack rows by: unzip -p FILE | galley … -"
    ),
    (Array("BZh".utf8), "compressed by bzip2", "decompress it: bzcat FILE > rows.jsonl"),
    ([0xfd, 0x37, 0x7a, 0x58, 0x5a], "compressed by xz", "decompress it: xzcat FILE > rows.jsonl"),
    ([0x04, 0x22, 0x4d, 0x18], "compressed by lz4", "decompress it: lz4cat FILE > rows.jsonl"),
    (Array("SQLite format 3".utf8), "a SQLite database", "select rows: sqlite3 FILE with json_object(…) > rows.jsonl"),
    (Array([0x89, 0x47, 0x4c, 0x59]), "a pack of galley pack", "give it to --cells, and rows before it"),
    ([0xff, 0xfe, 0x00, 0x00], "UTF-32", iconv("UTF-32")), ([0x00, 0x00, 0xfe, 0xff], "UTF-32", iconv("UTF-32")),
    ([0x7b, 0x00, 0x00, 0x00], "UTF-32", iconv("UTF-32LE")), ([0x00, 0x00, 0x00, 0x7b], "UTF-32", iconv("UTF-32BE")),
    ([0xff, 0xfe], "UTF-16", iconv("UTF-16")), ([0xfe, 0xff], "UTF-16", iconv("UTF-16")),
    ([0x7b, 0x00], "UTF-16", iconv("UTF-16LE")), ([0x00, 0x7b], "UTF-16", iconv("UTF-16BE")),
  ]

  private static func iconv(_ encoding: String) -> String {
    "convert it: iconv -f \(encoding) -t UTF-8 FILE > rows.jsonl"
  }
  private static let jq = "convert it: jq -c '.[]' FILE > rows.jsonl"
  private static let yaml =
    "convert it: python3 -c \"import json, yaml; [print(json.dumps(row, default=str)) "
    + "for row in yaml.safe_load(open('FILE'))]\" > rows.jsonl"
  private static func polars(_ function: String, _ options: String = "") -> String {
    "convert it: python3 -c \"import polars; polars.\(function)('FILE'\(options)).write_ndjson('rows.jsonl')\""
  }

  /// Returns whether more bytes cannot change the result.
  static func isDecided(by head: [UInt8]) -> Bool {
    if others.contains(where: { head.starts(with: $0.magic) }) { return true }
    let lines = firstLines(of: head)
    return lines.contains { $0.first == UInt8(ascii: "{") } || lines.count > Self.lines
  }

  /// Returns the reason why an input with this beginning has no rows, or nil if it may have some.
  ///
  /// A row that is not JSON is only an error of that row. Therefore an input is refused only if none of its first lines
  /// could be a row.
  ///
  /// - Parameter onlyByMagic: Whether the input is refused only for its first bytes.
  static func refusal(of head: [UInt8], name: String, onlyByMagic: Bool = false) -> String? {
    let file = name == "-" ? "FILE" : quoted(name)
    func reason(_ format: String, _ hint: String) -> String {
      "is \(format), not JSON Lines; \(hint.replacing("FILE", with: file))"
    }
    for other in others where head.starts(with: other.magic) { return reason(other.name, other.hint) }
    if onlyByMagic { return nil }
    let lines = Array(firstLines(of: head).prefix(Self.lines))
    guard let first = lines.first, first.first != UInt8(ascii: "{") else { return nil }
    if isArray(lines) { return reason("a JSON array", jq) }
    guard !lines.contains(where: { $0.first == UInt8(ascii: "{") }) else { return nil }
    if isYAML(lines) { return reason("YAML", yaml) }
    return separator(of: lines).map { separator in
      let shown = separator == "\t" ? #"\t"# : separator
      return reason("CSV", polars("read_csv", separator == "," ? "" : ", separator='\(shown)'"))
    }
  }

  /// Returns the first lines that are not blank, without the spaces around them. The last one may be incomplete.
  private static func firstLines(of head: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var rest = head.withoutByteOrderMark
    while !rest.isEmpty, lines.count <= Self.lines {
      let line = rest.prefix { $0 != 0x0a }
      rest = rest.dropFirst(line.count + 1)
      let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0d }
      let trimmed = line.drop(while: isBlank)
      let blanksBehind = trimmed.reversed().prefix(while: isBlank).count
      if !trimmed.isEmpty { lines.append(trimmed.dropLast(blanksBehind)) }
    }
    return lines
  }

  /// Returns whether an input with this beginning is a JSON array. If its first line is a whole array and an object follows, the input
  /// has lines.
  static func isArray(_ head: [UInt8]) -> Bool {
    let lines = Array(firstLines(of: head).prefix(Self.lines))
    guard let first = lines.first, first.first == UInt8(ascii: "[") else { return false }
    return !JSONArrayLines.isWhole(first) || !hasObject(lines.dropFirst())
  }

  /// Returns whether the input is an array that is not a row: either it continues after its first line, or no object
  /// follows it. A damaged array in one line is a bad row.
  private static func isArray(_ lines: [ArraySlice<UInt8>]) -> Bool {
    guard lines[0].first == UInt8(ascii: "[") else { return false }
    let isOneLine = lines[0].count > 1 && lines[0].last == UInt8(ascii: "]")
    return !isOneLine || !hasObject(lines.dropFirst())
  }

  private static func hasObject(_ lines: ArraySlice<ArraySlice<UInt8>>) -> Bool {
    lines.contains { $0.first == UInt8(ascii: "{") }
  }

  /// Returns whether the input begins with `---` or `%YAML`, or has only lines of the forms `key: value`, `key:`, `- …`
  /// and `#…`.
  private static func isYAML(_ lines: [ArraySlice<UInt8>]) -> Bool {
    if lines[0].elementsEqual("---".utf8) || lines[0].starts(with: "%YAML".utf8) { return true }
    return lines.count > 1
      && lines.allSatisfy { line in
        if line.starts(with: "- ".utf8) || line.first == UInt8(ascii: "#") { return true }
        let key = line.prefix { isWord($0) }
        let rest = line.dropFirst(key.count)
        return !key.isEmpty && (rest.elementsEqual(":".utf8) || rest.starts(with: ": ".utf8))
      }
  }

  /// Returns the separator that all lines have, or nil if they have none, if there are less than two, or if a line has braces.
  private static func separator(of lines: [ArraySlice<UInt8>]) -> String? {
    let braces: [UInt8] = [UInt8(ascii: "{"), UInt8(ascii: "}")]
    guard lines.count > 1, !lines.contains(where: { $0.contains { braces.contains($0) } }) else { return nil }
    return [",", ";", "\t"].first { separator in lines.allSatisfy { $0.contains(separator.utf8[separator.startIndex]) }
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// Returns the name if a shell accepts it without quotes, otherwise `FILE`.
  private static func quoted(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { isWord($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }
    return isPlain ? name : "FILE"
  }
}
