import CellTemplates
import LayoutEngine
import LayoutTables

extension JobLayout {
  /// Throws an error for a cell with a frame that is beyond what tables can have. A pool refuses such results of a worker, so
  /// that a row with them has to be bad wherever it is laid out.
  func checkExtent() throws(CellError) {
    let limit = Double(JobTable.largestExtent)
    for index in 0..<state.frames.count where !state.frames.base[index].rect.isWithin(limit) {
      throw excess(of: state.frames[index], at: index)
    }
  }

  /// Throws an error for a text with a line that is beyond what tables can have.
  func checkLines() throws(CellError) {
    let limit = Double(JobTable.largestExtent)
    for line in state.lines.lines.values {
      let isInside =
        abs(Double(line.x)) <= limit && abs(line.top) <= limit && abs(line.width) <= limit && abs(line.height) <= limit
        && abs(line.baseline) <= limit
      if !isInside {
        throw CellError("a text has a line beyond \(Int(limit)) points, the limit; give it smaller lengths")
      }
    }
  }

  private func excess(of frame: Frame, at index: Int) -> CellError {
    let (origin, size) = (frame.rect.origin, frame.rect.size)
    let type = binder.type(of: frame.element).name
    let what = index == 0 ? "the cell" : "\(type) \"\(name(of: frame, at: index - 1).excerpt)\""
    let error = CellError(
      "\(what) is \(size.width) x \(size.height) points at (\(origin.x), \(origin.y)); the limit is "
        + "\(Int(JobTable.largestExtent)) points")
    return index == 0 ? error : error.within(contentsOf: binder.path(of: frame.element))
  }
}
