import Foundation

extension FrameDiff {
  /// Gives the memory of frames that were compared back to the system. Otherwise, comparing two tables would keep both
  /// of them in memory. Frames that are needed again are read from the file again.
  func release(old oldFrames: Range<Int>, new newFrames: Range<Int>) {
    old.releasePages(of: oldFrames)
    new.releasePages(of: newFrames)
  }
}

extension Frames {
  /// Removes the pages of frames from the process's memory. The system keeps them in its file cache.
  fileprivate func releasePages(of frames: Range<Int>) {
    #if os(Linux)
      // Foundation maps regular files only; the pages of other memory would lose their contents.
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
      let pageSize = UInt(sysconf(Int32(_SC_PAGESIZE)))
      forEachRun(frames) { columns, indices in
        for (column, size) in [
          (columns.node, 4), (columns.type, 1), (columns.parent, 4), (columns.x, 4), (columns.y, 4), (columns.width, 4),
          (columns.height, 4), (columns.lines, 2),
        ] {
          guard let start = column.values.baseAddress else { continue }
          let first = UInt(bitPattern: start + indices.lowerBound * size) / pageSize * pageSize
          let end = UInt(bitPattern: start + indices.upperBound * size) / pageSize * pageSize
          guard first < end, let pages = UnsafeMutableRawPointer(bitPattern: first) else { continue }
          madvise(pages, Int(end - first), MADV_DONTNEED)
        }
      }
    #endif
  }
}
