import PoolScheduler

/// The name by which people, clients and journals know a batch: its number in base 36.
public enum BatchName {
  public static func text(_ id: BatchID) -> String { String(id, radix: 36) }

  /// The largest number of a batch. Numbers follow the clock, so that those of a coordinator stay far below it.
  private static let largest = BatchID(Int64.max)

  /// Returns nil for a text that is not the name of a batch.
  public static func id(_ name: String) -> BatchID? {
    BatchID(name, radix: 36).flatMap { text($0) == name && $0 <= largest ? $0 : nil }
  }

  /// The name of a journal that was set aside because it is damaged.
  public static func damagedJournal(_ id: BatchID) -> String { text(id) + journalSuffix + damagedSuffix }

  public static let journalSuffix = ".journal"
  public static let damagedSuffix = ".damaged"
}
