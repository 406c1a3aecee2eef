import Testing

@testable import PoolScheduler

/// Tests of how often invariants are checked.
@Suite struct InvariantChecksTests {
  /// Returns the number of checks of 10,000 events.
  private func checks(jobs: Int) -> Int {
    var checks = InvariantChecks()
    return (0..<10_000).count { _ in checks.isDue(jobs: jobs) }
  }

  @Test func theTimeOfChecksDoesNotGrowWithTheJobs() {
    #expect(checks(jobs: 0) == 10_000 && checks(jobs: 200) == 10_000)
    #expect(checks(jobs: 500) == 20 && checks(jobs: 10_000) == 1)
  }
}
