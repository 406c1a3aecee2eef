import Buffers

/// The lines and texts of a row as members of its object.
extension JSONText {
  mutating func append(lines part: JobPart) {
    let columns = part.job.columns
    append(",\"lines\":[")
    var line = 0
    for index in part[.lines] {
      let frame = columns.lineFrame[index]
      line = part.job.lineNumber(index, after: line)
      separate(index - part[.lines].lowerBound)
      append("{\"node\":", part.names[Int(columns.node[Int(frame)])])
      append(",\"line\":", line)
      append(",\"start\":", Int(columns.lineStart[index]))
      append(",\"end\":", Int(columns.lineEnd[index]))
      append(",\"x\":", columns.lineX[index])
      append(",\"y\":", columns.lineY[index])
      append(",\"width\":", columns.lineWidth[index])
      append(",\"height\":", columns.lineHeight[index])
      append(",\"baseline\":", columns.lineBaseline[index])
      let traits = LineTraits(rawValue: columns.lineTraits[index])
      append(",\"ellipsis\":", traits.contains(.ellipsis))
      append(",\"hyphen\":", traits.contains(.hyphen))
      append(",\"rightToLeft\":", traits.contains(.rightToLeft))
      append("}")
    }
    append("],\"texts\":[")
    append(texts: part)
    append("]")
  }

  private mutating func append(texts part: JobPart) {
    let columns = part.job.columns
    var texts = JobTexts(part)
    var index = 0
    while let text = texts.next() {
      separate(index)
      index += 1
      append("{\"node\":", part.names[Int(columns.node[text.frame])])
      append(",\"text\":", text.characters)
      append(",\"truncation\":", text.truncation)
      append(",\"runs\":[")
      for (number, run) in text.runs(part.job).enumerated() {
        separate(number)
        append("{\"start\":", Int(run.start))
        append(",\"end\":", Int(run.end))
        append(",\"font\":", part.names[run.font])
        append("}")
      }
      append("],\"spans\":[")
      for (number, span) in text.spans.enumerated() {
        separate(number)
        append(span: span, part)
      }
      append("],\"pointSizeScaleFactor\":", text.factor)
      append("}")
    }
  }

  private mutating func append(span: Int, _ part: JobPart) {
    let columns = part.job.columns
    append("{\"line\":", Int(columns.spanLine[span]))
    append(",\"start\":", Int(columns.spanStart[span]))
    append(",\"end\":", Int(columns.spanEnd[span]))
    append(",\"x\":", columns.spanX[span])
    append(",\"y\":", columns.spanY[span])
    append(",\"width\":", columns.spanWidth[span])
    append(",\"height\":", columns.spanHeight[span])
    append(",\"url\":", part.names[Int(columns.spanURL[span])])
    append(",\"kind\":", part.names[Int(columns.spanKind[span])])
    append("}")
  }
}
