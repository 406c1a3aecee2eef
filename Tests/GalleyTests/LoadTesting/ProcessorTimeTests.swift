import Testing

@testable import LoadTesting

@Suite struct ProcessorTimeTests {
  @Test func theTimeIsReadBehindAProcessNameWithAnyCharacters() throws {
    let stat = try #require(
      ProcessStat("17 (a b) (c) S 12 17 17 0 -1 4194560 100 0 0 0 250 50 0 0 20 0 3 0 1000 1 1"))
    #expect(stat.ticks == 300)
    #expect(ProcessStat("17 nonsense") == nil)
  }

  @Test func onlyProcessesInBothMeasurementsCount() {
    let before = ProcessorTime(coordinator: 10, workers: [1: 10, 2: 20])
    let after = ProcessorTime(coordinator: 15, workers: [1: 13, 3: 5])
    #expect(after.since(before) == ProcessorTime(coordinator: 5, workers: [1: 3]))
    #expect(ProcessorTime(coordinator: nil, workers: [:]).since(before).coordinator == nil)
  }
}
