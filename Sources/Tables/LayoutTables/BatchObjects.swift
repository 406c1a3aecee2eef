import Buffers

/// The writer of the results of a run as JSON objects, one for each row and variant: the columns of the stream by their
/// names. It receives results in row order.
public final class BatchObjects {
  /// What is written around the objects.
  public enum Form: Sendable {
    /// One object a line.
    case lines
    /// One array.
    case array
  }

  public private(set) var rows: UInt64 = 0
  private let variants: [BatchStream.Variant]
  private let types: [String]
  private let hasFrames: Bool
  private let hasLines: Bool
  private let form: Form
  private let sink: ([UnsafeRawBufferPointer]) throws -> Void
  private var text = JSONText(capacity: 16 << 10)

  /// - Parameters:
  ///   - types: The names of the frame types by their codes.
  ///   - hasFrames: Whether the objects have `frames`.
  ///   - hasLines: Whether the objects have `lines` and `texts`.
  ///   - sink: A function that writes buffers one after the other, and throws if it cannot.
  public init(
    _ variants: [BatchStream.Variant], types: [String], hasFrames: Bool, hasLines: Bool = false, form: Form,
    to sink: @escaping ([UnsafeRawBufferPointer]) throws -> Void
  ) {
    (self.variants, self.types, self.form, self.sink) = (variants, types, form, sink)
    (self.hasFrames, self.hasLines) = (hasFrames, hasLines)
  }

  /// Writes the next rows, given as the columns of each variant.
  ///
  /// - Throws: What the sink throws.
  public func take(_ tables: [JobTable]) throws {
    let count = tables.rowCount
    var parts = tables.map { JobPart(beginningOf: $0) }
    for row in 0..<count {
      text.removeAll()
      for index in tables.indices {
        parts[index] = JobPart(after: parts[index], rows: 1)
        if form == .array { text.append(rows == 0 && row == 0 && index == 0 ? "[" : ",") }
        write(parts[index], row, variants[index])
        text.append("\n")
      }
      try sink([text.bytes])
    }
    rows += UInt64(count)
  }

  /// Writes the end of the array, by which a reader recognizes that it is whole.
  public func finish() throws {
    guard form == .array else { return }
    text.removeAll()
    text.append(rows == 0 ? "[]\n" : "]\n")
    try sink([text.bytes])
  }

  private func write(_ part: JobPart, _ row: Int, _ variant: BatchStream.Variant) {
    let columns = part.job.columns
    text.append("{\"variant\":", variant.name)
    text.append(",\"row\":", Int(rows) + row)
    text.append(",\"id\":", columns.idBytes.slice(part[.idBytes]))
    text.append(",\"cell\":", part.names[Int(columns.cell[row])])
    text.append(",\"width\":", columns.width[row])
    text.append(",\"height\":", columns.height[row])
    text.append(",\"error\":", part[.errorBytes].isEmpty ? nil : columns.errorBytes.slice(part[.errorBytes]))
    if hasFrames { writeFrames(part) }
    writeResources(part, variant.scale)
    text.append(",\"missing_glyphs\":", Int(columns.missingGlyphs[row]))
    let packed = part.job.margins(of: row)
    let margins = packed.margins
    write(",\"margin_narrower\":", margins?.narrower)
    write(",\"margin_wider\":", margins?.wider)
    text.append(",\"holds_for_width\":", packed.holdsForWidth)
    if hasLines { text.append(lines: part) }
    text.append("}")
  }

  /// Writes a margin. JSON has no infinite numbers.
  private func write(_ key: StaticString, _ margin: Float?) {
    text.append(key)
    guard let margin else { return text.append("null") }
    if margin.isFinite { text.append(margin) } else { text.append("\"inf\"") }
  }

  private func writeFrames(_ part: JobPart) {
    let columns = part.job.columns
    text.append(",\"frames\":[")
    for frame in part[.frames] {
      text.separate(frame - part[.frames].lowerBound)
      text.append("{\"node\":", part.names[Int(columns.node[frame])])
      text.append(",\"type\":", types[Int(columns.type[frame])])
      text.append(",\"parent\":", Int(columns.parent[frame]))
      text.append(",\"x\":", columns.x[frame])
      text.append(",\"y\":", columns.y[frame])
      text.append(",\"width\":", columns.frameWidth[frame])
      text.append(",\"height\":", columns.frameHeight[frame])
      text.append(",\"lines\":", Int(columns.lines[frame]))
      text.append(",\"truncated\":", columns.truncated[frame] != 0)
      text.append("}")
    }
    text.append("]")
  }

  private func writeResources(_ part: JobPart, _ scale: Double) {
    let columns = part.job.columns
    text.append(",\"resources\":[")
    var url = part[.resourceURLBytes].lowerBound
    for resource in part[.resources] {
      let frame = Int(columns.resourceFrame[resource])
      let end = url + Int(columns.resourceURLLength[resource])
      let (type, width, height) = part.job.detail(ofResource: resource)
      text.separate(resource - part[.resources].lowerBound)
      text.append("{\"node\":", part.names[Int(columns.node[frame])])
      text.append(",\"url\":", columns.resourceURLBytes.slice(url..<end))
      text.append(",\"type\":", types[Int(type)])
      text.append(",\"y\":", columns.y[frame])
      text.append(
        ",\"pixel_width\":", Int(pixelCount(stated: width, covering: columns.frameWidth[frame], scale: scale)))
      text.append(
        ",\"pixel_height\":", Int(pixelCount(stated: height, covering: columns.frameHeight[frame], scale: scale)))
      text.append("}")
      url = end
    }
    text.append("]")
  }
}
