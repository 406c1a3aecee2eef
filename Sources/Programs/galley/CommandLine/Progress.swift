import Processes

/// A line on standard error that shows the progress of a run. It is shown only on a terminal.
final class Progress {
  /// The least time between two updates in seconds.
  private static let interval = 0.2

  private let isShown: Bool
  /// The size of the input in bytes, or nil if it is unknown.
  private let size: Int?
  private let begin = ContinuousClock.now
  /// The time of the last update, in seconds since the start.
  private var lastUpdate = 0.0

  init(quiet: Bool, size: Int?) {
    isShown = !quiet && Messages.canShowProgress
    self.size = size
  }

  /// Updates the line.
  func show(rows: UInt64, bytes: Int) {
    guard isShown else { return }
    let seconds = begin.duration(to: .now).seconds
    guard seconds - lastUpdate >= Self.interval else { return }
    lastUpdate = seconds
    var line = "\r\u{1b}[K\(rows) rows, \(Int(Double(rows) / seconds)) rows/s"
    if let size, bytes > 0, size > bytes {
      let left = Int((seconds * Double(size - bytes) / Double(bytes)).rounded(.up))
      line += ", \(left / 60):\(left % 60 < 10 ? "0" : "")\(left % 60) left"
    }
    StandardStream.error.write(line)
  }

  /// Removes the line.
  func end() { if isShown && lastUpdate > 0 { StandardStream.error.write("\r\u{1b}[K") } }
}
