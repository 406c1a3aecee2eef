/// The progress of a run.
public struct LoadProgress: Equatable, Sendable {
  /// A part of a run.
  public enum Phase: Equatable, Sendable {
    case warmUp, measuring
    /// No further batch starts, and the open ones are to complete.
    case completing
    /// The coordinator is to discard the batches that were completed or canceled.
    case discarding
  }

  public let phase: Phase
  /// The time in seconds since the beginning of the phase.
  public let elapsed: Double
  /// The length of the phase in seconds; of the last phase, the longest one.
  public let length: Double
  /// The number of batches that are open; nil if the coordinator has not reported those that it still has.
  public let open: Int?
  /// The number of batches that were completed since the start of the run.
  public let completed: Int
  /// The number of rows received since the start of the run.
  public let rows: Int

  init(_ span: LoadSpan, now: Double, _ activity: LoadActivity) {
    switch now {
    case ..<span.begin: (phase, elapsed, length) = (.warmUp, now, span.begin)
    case ..<span.end: (phase, elapsed, length) = (.measuring, now - span.begin, span.duration)
    default: (phase, elapsed, length) = (.completing, now - span.end, span.cutOff - span.end)
    }
    (open, completed, rows) = (activity.open, activity.completed, activity.rows)
  }

  init(_ phase: Phase, elapsed: Double, length: Double, open: Int?, _ activity: LoadActivity) {
    (self.phase, self.elapsed, self.length, self.open) = (phase, elapsed, length, open)
    (completed, rows) = (activity.completed, activity.rows)
  }
}

/// What the clients of a run have done so far.
struct LoadActivity {
  var open = 0
  var completed = 0
  var canceled = 0
  var rows = 0
}
