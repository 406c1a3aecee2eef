import Testing

@testable import Gateway

/// Tests of when a coordinator counts as lost.
@Suite struct CoordinatorPresenceTests {
  private static let second: UInt64 = 1_000_000_000
  private var presence = CoordinatorPresence(at: 0)

  /// Returns what follows from an observation.
  private mutating func observe(
    _ isConnected: Bool, hasReplied: Bool = false, at seconds: Double
  ) -> CoordinatorPresence.Finding? {
    presence.note(isConnected: isConnected, hasReplied: hasReplied, at: UInt64(seconds * Double(Self.second)))
  }

  @Test mutating func theStateIsAskedForEachSecond() {
    #expect(observe(false, at: 0) == nil)
    #expect(observe(true, at: 0.1) == .isDue)
    #expect(observe(true, at: 0.2) == nil)
    #expect(observe(true, hasReplied: true, at: 0.3) == nil)
    #expect(observe(true, at: 1.0) == nil)
    #expect(observe(true, at: 1.1) == .isDue)
    #expect(observe(true, hasReplied: true, at: 1.2) == nil)
    #expect(!presence.isLost)
  }

  @Test mutating func aCoordinatorWithoutAConnectionIsLostAfterASecond() {
    #expect(observe(true, hasReplied: true, at: 0) == .isDue)
    #expect(observe(false, at: 1) == nil)
    #expect(observe(false, at: 2.2) == nil && !presence.isLost)
    #expect(observe(false, at: 2.25) == .isAbsent && presence.isLost)
    #expect(observe(false, at: 4) == nil && presence.isLost)
    #expect(observe(false, at: 5.25) == .isAbsent && presence.isLost)
    #expect(observe(true, at: 6) == .isDue && !presence.isLost)
  }

  @Test mutating func aCoordinatorThatIsStartedAgainWithinASecondIsNotLost() {
    #expect(observe(true, at: 0) == .isDue)
    for second in 1...5 {
      #expect(observe(false, at: Double(second)) == nil)
      #expect(observe(true, at: Double(second) + 1 - 0.01) == .isDue, "a new connection is asked at once")
      #expect(!presence.isLost)
    }
  }

  @Test mutating func aSilentCoordinatorIsAbsentButNotLost() {
    #expect(observe(true, at: 0) == .isDue)
    #expect(observe(true, at: 2.9) == nil)
    #expect(observe(true, at: 3) == .isAbsent)
    #expect(observe(true, at: 3.1) == .isDue, "it is asked again")
    #expect(observe(true, at: 6.1) == .isAbsent)
    #expect(observe(true, hasReplied: true, at: 7) == .isDue)
    #expect(!presence.isLost)
  }
}
