import LoadTesting
import Processes

/// Messages on standard error that show what a load test does: a line that changes on a terminal, and otherwise a line
/// for each phase.
final class LoadTestProgress {
  /// The least time between two updates on a terminal in seconds.
  private static let interval = 0.2

  private let isQuiet: Bool
  private let isLive = Messages.canShowProgress
  private var lastUpdate: ContinuousClock.Instant?
  private var phase: LoadProgress.Phase?

  init(quiet: Bool) { isQuiet = quiet }

  func show(_ progress: LoadProgress) {
    let length = progress.length == progress.length.rounded() ? "\(Int(progress.length))" : decimal(progress.length, 1)
    let open = progress.open.map { "\($0)" } ?? "some"
    let text: String
    switch progress.phase {
    case .warmUp: text = "warming up for \(length) s"
    case .measuring: text = "measuring for \(length) s"
    case .completing: text = "waiting at most \(length) s for \(open) open batches"
    case .discarding: text = "waiting until the coordinator has discarded \(open) batches"
    }
    if progress.phase != phase && Self.takesTime(progress) { note(text) }
    phase = progress.phase
    let figures = "\(progress.completed) batches complete, \(open) open, \(progress.rows) rows received"
    update("\(text), \(Int(progress.elapsed)) s so far: \(figures)")
  }

  /// Returns whether a phase does not end at once.
  private static func takesTime(_ progress: LoadProgress) -> Bool {
    switch progress.phase {
    case .warmUp, .measuring: progress.length > 0
    case .completing, .discarding: progress.open != 0
    }
  }

  /// Removes the line of a terminal.
  func end() {
    if lastUpdate != nil { StandardStream.error.write("\r\u{1b}[K") }
    (phase, lastUpdate) = (nil, nil)
  }

  private func note(_ text: String) { if !isQuiet && !isLive { Messages.note(text) } }

  private func update(_ text: String) {
    guard !isQuiet, isLive, lastUpdate.map({ $0.duration(to: .now).seconds >= Self.interval }) ?? true else { return }
    lastUpdate = .now
    StandardStream.error.write("\r\u{1b}[K\(text)")
  }
}
