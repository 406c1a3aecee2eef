import Buffers

/// A mapping from the numbers of a job's names to the numbers of a whole table. Each name is searched only once.
///
/// Names are numbered in the order in which rows first use them, so that the numbers do not depend on how the rows were
/// split into jobs.
struct Renumbering: ~Copyable {
  private static let unknown = UInt32.max

  private let names: JobColumn<UInt8, ByteString>
  private var starts = FlatBuffer<Int>(capacity: 64)
  private var numbers = FlatBuffer<UInt32>(capacity: 64)

  init(_ job: JobTable) {
    names = job.columns.nameBytes
    starts.append(0)
    for name in 0..<job.nameCount { starts.append(starts[name] + Int(job.columns.nameLength[name])) }
    numbers.extend(by: job.nameCount).update(repeating: Self.unknown, count: job.nameCount)
  }

  @inline(__always)
  func number(_ name: UInt32, in table: inout NameTable) -> UInt32 {
    let known = numbers[Int(name)]
    if known != Self.unknown { return known }
    let number = table.number(of: names.slice(starts[Int(name)], starts[Int(name) + 1]))
    numbers[Int(name)] = number
    return number
  }
}
