import Buffers

/// The lines and texts of a row as members of its object.
extension JSONText {
  mutating func append(lines part: JobPart, _ names: [ByteString]) {
    let columns = part.job.columns
    append(",\"lines\":[")
    var line = 0
    for index in part.lines {
      let frame = columns.lineFrame[index]
      line = index > part.lines.lowerBound && columns.lineFrame[index - 1] == frame ? line + 1 : 0
      append(index == part.lines.lowerBound ? "{\"node\":" : ",{\"node\":")
      append(string: names[Int(columns.node[Int(frame)])])
      append(",\"line\":\(line),\"start\":\(columns.lineStart[index]),\"end\":\(columns.lineEnd[index]),\"x\":")
      append(columns.lineX[index])
      append(",\"y\":")
      append(columns.lineY[index])
      append(",\"width\":")
      append(columns.lineWidth[index])
      append(",\"height\":")
      append(columns.lineHeight[index])
      append(",\"baseline\":")
      append(columns.lineBaseline[index])
      let traits = LineTraits(rawValue: columns.lineTraits[index])
      append(",\"ellipsis\":\(traits.contains(.ellipsis)),\"hyphen\":\(traits.contains(.hyphen))")
      append(",\"rightToLeft\":\(traits.contains(.rightToLeft))}")
    }
    append("],\"texts\":[")
    append(texts: part, names)
    append("]")
  }

  private mutating func append(texts part: JobPart, _ names: [ByteString]) {
    let columns = part.job.columns
    var texts = JobTexts(part)
    var isFirst = true
    while let text = texts.next() {
      append(isFirst ? "{\"node\":" : ",{\"node\":")
      isFirst = false
      append(string: names[Int(columns.node[text.frame])])
      append(",\"text\":")
      append(string: text.characters)
      append(",\"truncation\":")
      append(string: text.truncation)
      append(",\"runs\":[")
      var separator = ""
      for (start, end, font) in text.runs(part.job) {
        append("\(separator){\"start\":\(start),\"end\":\(end),\"font\":")
        append(string: names[font])
        append("}")
        separator = ","
      }
      append("]}")
    }
  }
}
