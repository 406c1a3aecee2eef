import BatchLayout
import CellTemplates
import HTTPServing
import LayoutEngine
import LayoutTables

/// What a request for layouts asks for, besides its rows.
struct LayoutsQuery {
  /// The types of bodies. What a body has is recognized by its first bytes.
  private static let bodyTypes = [
    "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines", "application/json",
    "application/octet-stream",
  ]
  static let parameters = [
    "cells", "width", "textScale", "scale", "platform", "textSize", "layoutDirection", "frames", "lines", "end",
  ]

  let cells: String
  let variants: [Variant]
  let hasFrames: Bool
  let hasLines: Bool
  /// Whether the last of JSON Lines has the number of rows.
  let hasEnd: Bool
  let form: BatchStream.Form
  let isCompressed: Bool

  /// - Throws: `Problem` that names the parameter or the header.
  init(_ request: HTTPRequest, cells names: [String]) throws(Problem) {
    let values = try Self.values(request.query)
    cells = try Self.cells(values["cells"], names)
    hasLines = try Self.flag("lines", values["lines"] ?? "false")
    variants = try Self.variants(values, hasLines: hasLines)
    hasFrames = try Self.flag("frames", values["frames"] ?? "true")
    hasEnd = try Self.flag("end", values["end"] ?? "false")
    try Self.checkBody(request)
    form = try Self.form(request)
    isCompressed = request.accepts("gzip", in: "accept-encoding")
  }

  private static func wrong(_ detail: String) -> Problem { Problem(400, "Wrong parameter", detail) }

  private static func values(_ query: [HTTPRequest.QueryItem]) throws(Problem) -> [String: String] {
    var values: [String: String] = [:]
    for item in query {
      guard parameters.contains(item.name) else {
        throw wrong(
          "\"\(item.name)\" is not a parameter\(didYouMean(item.name, among: parameters)); there are "
            + "\(parameters.sorted().joined(separator: ", ")).")
      }
      guard values[item.name] == nil else { throw wrong("\(item.name) is given twice.") }
      values[item.name] = item.value
    }
    return values
  }

  private static func flag(_ name: String, _ value: String) throws(Problem) -> Bool {
    switch value {
    case "true": true
    case "false": false
    default: throw wrong("\(name) is true or false, not \"\(value)\".")
    }
  }

  private static func cells(_ name: String?, _ names: [String]) throws(Problem) -> String {
    guard let name else {
      if names.count == 1 { return names[0] }
      throw wrong("cells is missing; it is one of \(names.joined(separator: ", ")).")
    }
    guard names.contains(name) else {
      throw Problem(
        400, "Unknown cells",
        "cells \"\(name)\" is not known here\(didYouMean(name, among: names)); there are \(names.joined(separator: ", "))."
      )
    }
    return name
  }

  private static func variants(_ values: [String: String], hasLines: Bool) throws(Problem) -> [Variant] {
    guard let width = values["width"] else {
      throw wrong("width is missing; it has widths in points, such as 320,390.")
    }
    let textScales = try numbers("textScale", values["textScale"] ?? "1")
    let scales: [Double]? = if let scale = values["scale"] { try numbers("scale", scale) } else { nil }
    guard width.allSatisfy({ isDecimal($0) || ",-/".contains($0) }) else {
      throw wrong("\"\(width)\" has other characters than those of widths in points, such as 320,390 or 320-430/10.")
    }
    do throws(VariantError) {
      return try Variant.combinations(
        widths: WidthList(width).numbers, textScales: textScales, scales: scales,
        platforms: Platform.listed(in: values["platform"] ?? "texture"), textSizes: try textSizes(values),
        layoutDirections: LayoutDirection.listed(in: values["layoutDirection"] ?? "ltr"), hasLines: hasLines)
    } catch { throw wrong("\(error.message).") }
  }

  private static func textSizes(_ values: [String: String]) throws(VariantError) -> [TextSize]? {
    guard let list = values["textSize"] else { return nil }
    return try TextSize.listed(in: list)
  }

  private static func numbers(_ name: String, _ text: String) throws(Problem) -> [Double] {
    var numbers: [Double] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard part.allSatisfy(isDecimal), let number = Double(part) else {
        throw wrong("\"\(part)\" in \(name) is not a number.")
      }
      if !numbers.contains(number) { numbers.append(number) }
      guard numbers.count <= Variant.limit else {
        throw wrong("\(name) has more than \(Variant.limit) numbers; a batch has at most \(Variant.limit) variants.")
      }
    }
    return numbers
  }

  /// Double also accepts hexadecimal numbers and exponents.
  private static func isDecimal(_ character: Character) -> Bool { ("0"..."9").contains(character) || character == "." }

  private static func checkBody(_ request: HTTPRequest) throws(Problem) {
    if let encoding = request.header("content-encoding"),
      !["gzip", "x-gzip", "zstd", "identity", ""].contains(encoding.lowercased())
    {
      throw Problem(415, "Unknown encoding", "A body is plain or compressed by gzip or zstd, not by \(encoding).")
    }
    guard let type = request.list("content-type").first, !bodyTypes.contains(type) else { return }
    let hint =
      type == "application/x-www-form-urlencoded"
      ? " curl states this type by itself; add --header 'content-type: application/x-ndjson'." : ""
    throw Problem(
      415, "Unknown type",
      "Rows are JSON Lines (application/x-ndjson) or a JSON array (application/json), not \(type).\(hint)")
  }

  private static func form(_ request: HTTPRequest) throws(Problem) -> BatchStream.Form {
    let accepted = request.list("accept")
    guard !accepted.isEmpty else { return .lines }
    for type in accepted {
      if let form = BatchStream.Form(rawValue: type) { return form }
      if ["application/jsonl", "application/ndjson", "application/*", "*/*"].contains(type) { return .lines }
    }
    throw Problem(
      406, "Not acceptable",
      "Results are \(BatchStream.Form.allCases.map(\.rawValue).joined(separator: ", ")); the request accepts \(accepted.joined(separator: ", "))."
    )
  }
}
