import Buffers
import LayoutEngine
import TextMeasuring

/// The unit in which marks count the characters of a text.
package enum MarkOffsets: UInt8, NamedChoice, BitwiseCopyable {
  /// UTF-16 code units, as JavaScript and NSString count.
  case utf16
  /// Bytes of UTF-8.
  case utf8
  /// Unicode scalars, as Python counts.
  case scalars

  static let numbers = NameIndex(keeping: names)

  /// The units in words, for errors.
  fileprivate var name: String {
    switch self {
    case .utf16: "UTF-16 units"
    case .utf8: "bytes"
    case .scalars: "characters"
    }
  }

  /// Returns the number of units of a character with a first byte of UTF-8, or of a continuation byte.
  package func units(ofByte byte: UInt8) -> Int {
    switch self {
    case .utf8: 1
    case .scalars: byte & 0xc0 == 0x80 ? 0 : 1
    case .utf16: byte & 0xc0 == 0x80 ? 0 : byte >= 0xf0 ? 2 : 1
    }
  }
}

/// Marks: parts of a text, by their offsets, that have other properties, such as mentions and links.
extension RowBinder {
  /// A part of a text with the properties that it states.
  private struct Mark {
    /// The index of the mark in its array.
    let position: Int
    let range: Range<Int>
    let draft: TextDraft
    /// Its URL and its kind, or empty.
    let url, kind: ByteString
  }

  /// Divides the runs of a text, which are the last ones, at the ends of its marks. Of marks that overlap the later one counts.
  ///
  /// - Parameters:
  ///   - first: the index of the first run of the text.
  ///   - firstSpan: the index of the first span of the text.
  ///   - draft: the properties of the text.
  func applyMarks(
    _ path: Int32, from first: Int, _ firstSpan: Int, _ draft: TextDraft, at index: Int32, _ values: RowValues
  ) throws(CellError) {
    guard let array = values.value(at: path), !array.isNull else { return }
    do throws(CellError) {
      guard array.kind == .array else { throw wrongType(array, "an array of {start, end}") }
      let marks = try self.marks(array, draft)
      guard !marks.isEmpty else { return }
      let written = Array(state.runs.values[first...])
      let ends = try byteOffsets(of: marks, in: written, draft.markOffsets)
      let spans = Dictionary(uniqueKeysWithValues: state.spans.values[firstSpan...].map { ($0.run - first, $0) })
      state.runs.truncate(to: first)
      state.spans.truncate(to: firstSpan)
      try append(written, spans, marks, ends, draft)
    } catch {
      throw error.within("marks").within(contentsOf: values.templates.pointee.path(of: index))
    }
  }

  private func marks(_ array: JSONValue, _ text: TextDraft) throws(CellError) -> [Mark] {
    var marks: [Mark] = []
    let reader = WrittenValues.reader
    // None of the properties of a mark has sizes.
    var sizes = FlatBuffer<Size>(capacity: 1)
    try array.forEachElement { (position, item) throws(CellError) in
      try countIteration()
      do throws(CellError) {
        guard item.isObject else { throw wrongType(item, "an object such as {start: 0, end: 4}") }
        var draft = ElementDraft(program.generation)
        draft.text.font = text.markFont
        for keyword in [Keyword.font, .lineHeight, .letterSpacing, .baselineOffset] {
          guard let value = item.member(keyword.bytes), !value.isNull else { continue }
          do throws(CellError) {
            try draft.read(keyword, of: .text, value, reader, fonts: fonts, sizes: &sizes)
          } catch { throw error.within(keyword.name) }
        }
        let start = try offset(item, "start")
        let end = try self.end(item, start)
        guard start <= end else { throw CellError("ends at \(end), before its start at \(start)") }
        let (url, kind) = (try string(item, .url), try string(item, .kind))
        if start < end {
          marks.append(Mark(position: position, range: start..<end, draft: draft.text, url: url, kind: kind))
        }
      } catch {
        throw error.within("\(position)")
      }
    }
    return marks
  }

  private func string(_ item: JSONValue, _ keyword: Keyword) throws(CellError) -> ByteString {
    guard let value = item.member(keyword.bytes), !value.isNull else { return .empty }
    guard let string = value.string else { throw wrongType(value, "a string").within(keyword.name) }
    return try counted(string)
  }

  /// Returns the end of a mark, which it states as its `end`, by its `length`, or as both.
  private func end(_ item: JSONValue, _ start: Int) throws(CellError) -> Int {
    func states(_ key: StaticString) -> Bool { item.member(key).map { !$0.isNull } ?? false }
    guard states("end") else { return start + (try offset(item, "length")) }
    let end = try offset(item, "end")
    guard states("length"), start + (try offset(item, "length")) != end else { return end }
    throw CellError("has an end that is not its start plus its length; give one of them")
  }

  private func offset(_ item: JSONValue, _ key: StaticString) throws(CellError) -> Int {
    guard let value = item.member(key) else { throw CellError("has no \(key); a mark has start, and end or length") }
    guard let number = value.integer, number >= 0, number <= Lines.maxLength else {
      throw wrongType(value, "a whole number from 0 to \(Lines.maxLength)").within("\(key)")
    }
    return Int(number)
  }

  /// Returns the offset in bytes of each end of a mark.
  private func byteOffsets(
    of marks: [Mark], in runs: [TextRun], _ offsets: MarkOffsets
  ) throws(CellError) -> [Int: Int] {
    let wanted = Set(marks.flatMap { [$0.range.lowerBound, $0.range.upperBound] })
    var found: [Int: Int] = [:]
    var (byte, unit) = (0, 0)
    for run in runs {
      for value in run.text.bytes {
        let units = offsets.units(ofByte: value)
        // A continuation byte is inside a character, also where bytes are counted.
        if value & 0xc0 != 0x80 && wanted.contains(unit) { found[unit] = byte }
        unit += units
        byte += 1
      }
    }
    if wanted.contains(unit) { found[unit] = byte }
    for mark in marks {
      for end in [mark.range.lowerBound, mark.range.upperBound] where found[end] == nil {
        throw CellError(
          end > unit
            ? "has the offset \(end), but the text has \(unit) \(offsets.name); markOffsets states how offsets are counted"
            : "has the offset \(end), which is inside a character; markOffsets states how offsets are counted"
        ).within("\(mark.position)")
      }
    }
    return found
  }

  /// Adds the runs of a text, divided at the ends of marks.
  ///
  /// - Parameters:
  ///   - spans: the spans of the runs, by their indices.
  private func append(
    _ runs: [TextRun], _ spans: [Int: BoundSpan], _ marks: [Mark], _ bytes: [Int: Int], _ text: TextDraft
  ) throws(CellError) {
    let parts = marks.map { (bytes[$0.range.lowerBound] ?? 0)..<(bytes[$0.range.upperBound] ?? 0) }
    var ends = Set(parts.flatMap { [$0.lowerBound, $0.upperBound] }).sorted()
    var counting = Self.lastMarks(parts, ends)
    // An end inside a mark that counts on both sides of it divides nothing.
    let dividing = ends.indices.filter { $0 == 0 || counting[$0] != counting[$0 - 1] }
    (ends, counting) = (dividing.map { ends[$0] }, dividing.map { counting[$0] })
    var runStart = 0
    // The number of ends that are at the start of the part or before it.
    var passed = 0
    for (index, run) in runs.enumerated() {
      let runEnd = runStart + run.text.count
      var start = runStart
      repeat {
        while passed < ends.count && ends[passed] <= start { passed += 1 }
        let partEnd = passed < ends.count ? min(ends[passed], runEnd) : runEnd
        var (part, span) = (run, spans[index])
        part.text = run.text.slice(start - runStart, partEnd - runStart)
        if passed > 0, let mark = counting[passed - 1] {
          part.style = try style(of: marks[mark].draft, over: run, in: text)
          if marks[mark].draft.font != absent { part.font = marks[mark].draft.font }
          if !marks[mark].url.isEmpty || !marks[mark].kind.isEmpty {
            span = BoundSpan(run: index, url: marks[mark].url, kind: marks[mark].kind)
          }
        }
        state.runs.append(part)
        if var span, !part.text.isEmpty {
          span.run = state.runs.count - 1
          state.spans.append(span)
        }
        start = partEnd
      } while start < runEnd
      runStart = runEnd
    }
  }

  /// Returns the last of the marks that contain the bytes between each end and the next one, or nil if none does:
  ///
  ///     ends     0   4   6   8   10  12
  ///     mark 0   |---------------|
  ///     mark 1       |---------------|
  ///     mark 2           |---|
  ///     result   0   1   2   1   1   nil
  ///
  /// - Parameters:
  ///   - parts: the bytes of the marks.
  ///   - ends: the ends of all marks in ascending order.
  private static func lastMarks(_ parts: [Range<Int>], _ ends: [Int]) -> [Int?] {
    let numbers = Dictionary(uniqueKeysWithValues: ends.enumerated().map { ($1, $0) })
    var last = [Int?](repeating: nil, count: ends.count)
    // From the last mark to the first, each takes what no later one has. What is taken leads to the next that may be free
    // (a union-find structure whose paths are compressed), so that overlapping marks do not take quadratic time.
    var following = Array(0...ends.count)
    func free(from number: Int) -> Int {
      var found = number
      while following[found] != found { found = following[found] }
      var passed = number
      while following[passed] != found { (passed, following[passed]) = (following[passed], found) }
      return found
    }
    for (mark, part) in parts.enumerated().reversed() {
      guard let start = numbers[part.lowerBound], let end = numbers[part.upperBound] else { continue }
      var number = free(from: start)
      while number < end {
        last[number] = mark
        following[number] = number + 1
        number = free(from: number)
      }
    }
    return last
  }

  /// Returns the style of a marked part of a run.
  private func style(of mark: TextDraft, over run: TextRun, in text: TextDraft) throws(CellError) -> TextStyle {
    var style = mark.font == absent ? run.style : try fonts.style(of: mark, in: text)
    style.baselineOffset = mark.baselineOffset.isNaN ? run.style.baselineOffset : mark.baselineOffset
    style.attachment = run.style.attachment
    if !mark.lineHeight.isNaN { style.lineHeight = mark.lineHeight }
    if !mark.letterSpacing.isNaN { style.letterSpacing = mark.letterSpacing }
    return style
  }
}
