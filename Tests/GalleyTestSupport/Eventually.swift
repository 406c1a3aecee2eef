import Glibc

/// Waits until a condition holds, for at most 30 seconds, because machines can be busy.
public func eventually(_ condition: () throws -> Bool) throws {
  for _ in 0..<600 {
    if try condition() { return }
    usleep(50_000)
  }
  throw Overdue()
}

/// An error that states that a condition did not hold in time.
public struct Overdue: Error, CustomStringConvertible {
  public var description: String { "the condition did not hold within 30 seconds" }
}
