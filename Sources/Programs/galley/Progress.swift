import Foundation
import Glibc

/// One line on a terminal that tells how far a run is; nothing where nobody looks.
final class Progress {
  private static let interval = 0.2

  private let isShown: Bool
  /// Bytes of the input, where known.
  private let size: Int?
  private let begin = ContinuousClock.now
  private var last = 0.0

  init(quiet: Bool, size: Int?) {
    isShown = !quiet && isatty(STDERR_FILENO) != 0
    self.size = size
  }

  func show(rows: UInt64, bytes: Int) {
    guard isShown else { return }
    let seconds = begin.duration(to: .now).seconds
    guard seconds - last >= Self.interval else { return }
    last = seconds
    var line = "\r\u{1b}[K\(rows) rows, \(Int(Double(rows) / seconds)) rows/s"
    if let size, bytes > 0, size > bytes {
      let left = Int((seconds * Double(size - bytes) / Double(bytes)).rounded(.up))
      line += ", \(left / 60):\(left % 60 < 10 ? "0" : "")\(left % 60) left"
    }
    Program.write(line)
  }

  func end() { if isShown && last > 0 { Program.write("\r\u{1b}[K") } }
}
