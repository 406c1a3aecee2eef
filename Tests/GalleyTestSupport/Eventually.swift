import Glibc

/// Waits until something is so; generously, as machines may be busy.
public func eventually(_ condition: () throws -> Bool) throws {
  for _ in 0..<600 {
    if try condition() { return }
    usleep(50_000)
  }
  throw Overdue()
}

/// What was waited for did not come true.
public struct Overdue: Error, CustomStringConvertible {
  public var description: String { "it did not come true in 30 seconds" }
}
