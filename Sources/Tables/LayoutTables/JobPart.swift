import TableFormats

/// A run of rows of a job, and where their values begin in its columns.
struct JobPart {
  let job: JobTable
  let rows: Range<Int>
  let frames: Range<Int>
  let resources: Range<Int>
  let idBytes: Range<Int>
  let errorBytes: Range<Int>
  let urlBytes: Range<Int>
  let lines: Range<Int>
  let texts: Range<Int>
  let textRuns: Range<Int>
  let textBytes: Range<Int>
  let textSpans: Range<Int>

  /// The run of no rows at the beginning of a job.
  init(beginningOf job: JobTable) {
    self.job = job
    (rows, frames, resources) = (0..<0, 0..<0, 0..<0)
    (idBytes, errorBytes, urlBytes) = (0..<0, 0..<0, 0..<0)
    (lines, texts, textRuns, textBytes, textSpans) = (0..<0, 0..<0, 0..<0, 0..<0, 0..<0)
  }

  /// The next rows behind another run of the same job.
  init(after part: JobPart, rows count: Int) {
    job = part.job
    let columns = job.columns
    let rows = part.rows.upperBound..<part.rows.upperBound + count
    self.rows = rows
    func end(_ start: Int, _ lengths: ReceivedColumn<UInt32>, _ range: Range<Int>) -> Int {
      range.reduce(start) { $0 + Int(lengths[$1]) }
    }
    frames = part.frames.upperBound..<end(part.frames.upperBound, columns.frameCount, rows)
    idBytes = part.idBytes.upperBound..<end(part.idBytes.upperBound, columns.idLength, rows)
    errorBytes = part.errorBytes.upperBound..<end(part.errorBytes.upperBound, columns.errorLength, rows)
    var resource = part.resources.upperBound
    while resource < job.resourceCount, Int(columns.resourceRow[resource]) < rows.upperBound { resource += 1 }
    resources = part.resources.upperBound..<resource
    urlBytes = part.urlBytes.upperBound..<end(part.urlBytes.upperBound, columns.resourceURLLength, resources)
    let frameEnd = frames.upperBound
    func end(_ start: Int, _ textFrames: ReceivedColumn<UInt32>) -> Int {
      var end = start
      while end < textFrames.count, Int(textFrames[end]) < frameEnd { end += 1 }
      return end
    }
    lines = part.lines.upperBound..<end(part.lines.upperBound, columns.lineFrame)
    texts = part.texts.upperBound..<end(part.texts.upperBound, columns.textFrame)
    textRuns = part.textRuns.upperBound..<end(part.textRuns.upperBound, columns.textRunCount, texts)
    let textEnd = end(end(part.textBytes.upperBound, columns.textLength, texts), columns.truncationLength, texts)
    textBytes = part.textBytes.upperBound..<textEnd
    var span = part.textSpans.upperBound
    while span < columns.spanText.count, Int(columns.spanText[span]) < texts.upperBound { span += 1 }
    textSpans = part.textSpans.upperBound..<span
  }

  /// Returns the number of rows behind this run whose frames are at most `limit` together: at least 1, if there is one.
  func rowsThatFollow(frames limit: Int, rows rowLimit: Int) -> Int {
    var (count, frames) = (0, 0)
    for row in rows.upperBound..<min(job.rowCount, rows.upperBound + rowLimit) {
      frames += Int(job.columns.frameCount[row])
      if count > 0 && frames > limit { break }
      count += 1
    }
    return count
  }
}
