import Foundation
import Processes
import Synchronization
import Testing

struct LockedDirectoryTests {
  private let parent = FileManager.default.temporaryDirectory.appending(path: "locked-\(UUID().uuidString)").path

  private func makeDirectory(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: "\(parent)/\(name)", withIntermediateDirectories: true)
  }

  private func lockDirectory() -> LockedDirectory? {
    LockedDirectory(prefix: "\(parent)/t-") { try? FileManager.default.removeItem(atPath: $0) }
  }

  @Test func onlyUnlockedDirectoriesOfItsKindAreRemoved() throws {
    defer { try? FileManager.default.removeItem(atPath: parent) }
    for name in ["t-a1B2c3", "t-backup2", "t-a1B2c3.old", "t-a.B2c3", "t-", "other"] { try makeDirectory(name) }
    try Data().write(to: URL(fileURLWithPath: "\(parent)/t-fileno"))
    guard let first = lockDirectory(), let second = lockDirectory() else {
      Issue.record("no directory is made")
      return
    }
    let made = [first.path, second.path].map { String($0.dropFirst(parent.count + 1)) }
    #expect(
      try Set(FileManager.default.contentsOfDirectory(atPath: parent))
        == Set(made + ["t-backup2", "t-a1B2c3.old", "t-a.B2c3", "t-", "other", "t-fileno"]))
  }

  /// A process may lock the directory that another one has just made, because it takes it for a leftover.
  @Test func directoriesAreMadeAtOnceByMany() throws {
    defer { try? FileManager.default.removeItem(atPath: parent) }
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    let failures = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<600 where lockDirectory() == nil { failures.add(1, ordering: .relaxed) }
    }
    #expect(failures.load(ordering: .relaxed) == 0)
  }
}
