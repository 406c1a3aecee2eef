import Buffers

/// A mapping from the numbers of a job's names to the numbers of a whole table. Each name is searched only once.
///
/// Names are numbered in the order in which rows first use them, so that the numbers do not depend on how the rows were
/// split into jobs.
struct Renumbering: ~Copyable {
  private static let unknown: Int32 = -1

  private let names: [ByteString]
  private var numbers = FlatBuffer<Int32>(capacity: 64)

  init(_ job: JobTable) {
    names = job.names
    numbers.extend(by: names.count).update(repeating: Self.unknown, count: names.count)
  }

  @inline(__always)
  func number(_ name: UInt32, in table: inout NameTable) -> Int32 {
    let known = numbers[Int(name)]
    if known != Self.unknown { return known }
    let number = table.number(of: names[Int(name)])
    numbers[Int(name)] = number
    return number
  }
}
