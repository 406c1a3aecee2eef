import Buffers
import TableFormats

/// A run of rows of a job, and where their values are in its columns.
package struct JobPart {
  package let job: JobTable
  /// The names of the job's cells and nodes by their numbers.
  let names: [ByteString]
  /// The range of the values of the rows by `JobCount`. The ranges of names and of their bytes are empty.
  private var ranges = InlineArray<17, Range<Int>>(repeating: 0..<0)

  /// The run of no rows at the beginning of a job.
  package init(beginningOf job: JobTable) { (self.job, names) = (job, job.names) }

  /// The next rows behind another run of the same job.
  package init(after part: JobPart, rows count: Int) {
    self = part
    let columns = job.columns
    extend(.rows, to: self[.rows].upperBound + count)
    extend(.frames, by: columns.frameCount, of: .rows)
    extend(.idBytes, by: columns.idLength, of: .rows)
    extend(.errorBytes, by: columns.errorLength, of: .rows)
    extend(.missingRows, while: columns.missingRow, areIn: .rows)
    extend(.missingBytes, by: columns.missingLength, of: .missingRows)
    extend(.resources, while: columns.resourceRow, areIn: .rows)
    extend(.resourceURLBytes, by: columns.resourceURLLength, of: .resources)
    extend(.resourceDetails, while: columns.detailResource, areIn: .resources)
    extend(.lines, while: columns.lineFrame, areIn: .frames)
    extend(.texts, while: columns.textFrame, areIn: .frames)
    extend(.textRuns, by: columns.textRunCount, of: .texts)
    let textBytes = self[.texts].reduce(0) { $0 + Int(columns.textLength[$1]) + Int(columns.truncationLength[$1]) }
    extend(.textBytes, to: self[.textBytes].upperBound + textBytes)
    extend(.textSpans, while: columns.spanText, areIn: .texts)
    extend(.textFactors, while: columns.factorText, areIn: .texts)
  }

  /// Returns the range of the values of the rows in the columns that have `count` values.
  @inline(__always)
  package subscript(count: JobCount) -> Range<Int> { ranges[count.rawValue] }

  private mutating func extend(_ count: JobCount, to end: Int) {
    ranges[count.rawValue] = self[count].upperBound..<end
  }

  /// Takes the values whose numbers a column states for each value of another kind.
  private mutating func extend(_ count: JobCount, by lengths: ReceivedColumn<UInt32>, of others: JobCount) {
    extend(count, to: self[others].reduce(self[count].upperBound) { $0 + Int(lengths[$1]) })
  }

  /// Takes the values that belong to those of another kind by an index, which ascends.
  private mutating func extend(_ count: JobCount, while indices: ReceivedColumn<UInt32>, areIn others: JobCount) {
    var end = self[count].upperBound
    while end < indices.count, Int(indices[end]) < self[others].upperBound { end += 1 }
    extend(count, to: end)
  }

  /// Returns the number of rows behind this run whose frames are at most `limit` together: at least 1, if there is one.
  func rowsThatFollow(frames limit: Int, rows rowLimit: Int) -> Int {
    let end = self[.rows].upperBound
    var (count, frames) = (0, 0)
    for row in end..<min(job.rowCount, end + rowLimit) {
      frames += Int(job.columns.frameCount[row])
      if count > 0 && frames > limit { break }
      count += 1
    }
    return count
  }
}

extension JobColumns {
  /// Appends rows of another job, without their hashes and margins. Their names and the indices of their rows, frames, resources
  /// and texts become those of this job.
  package func append(_ part: JobPart) {
    let columns = columns
    func shift(_ count: Int, _ target: JobCount) -> UInt32 {
      UInt32(truncatingIfNeeded: count - part[target].lowerBound)
    }
    let (rows, frames) = (shift(columns.width.count, .rows), shift(columns.node.count, .frames))
    let resources = shift(columns.resourceRow.count, .resources)
    let texts = shift(columns.textFrame.count, .texts)
    for (index, (format, buffer)) in zip(formats, buffers.pointers).enumerated() where format.group == nil {
      let values = part.job.values[index]
      let range = part[format.count]
      guard let target = format.target else {
        let bytes = values.slice(range.lowerBound * format.stride, range.upperBound * format.stride)
        buffer.pointee.values.append(contentsOf: bytes.bytes)
        continue
      }
      let targets = ReceivedColumn<UInt32>(storage: values)
      for value in range {
        let number =
          switch target {
          case .names: number(ofName: part.names[Int(targets[value])])
          case .rows: targets[value] &+ rows
          case .frames: targets[value] &+ frames
          case .resources: targets[value] &+ resources
          default: targets[value] &+ texts
          }
        buffer.pointee.append(number)
      }
    }
  }
}
