/// The rate at which a debug build checks the invariants of a core. The simulation checks them after each event.
///
/// A check takes time in proportion to the number of jobs. With few jobs it follows each event, with more as many events as there
/// are jobs, so that the time of an event remains the same.
package struct InvariantChecks {
  /// The number of jobs up to which each event is checked.
  private static let everyEvent = 200

  private var eventsSinceCheck = 0

  package init() {}

  /// Returns whether the invariants are to be checked after this event.
  package mutating func isDue(jobs: Int) -> Bool {
    eventsSinceCheck += 1
    guard jobs <= Self.everyEvent || eventsSinceCheck >= jobs else { return false }
    eventsSinceCheck = 0
    return true
  }
}
