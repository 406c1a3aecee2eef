import Buffers
import Hashing
import LayoutEngine
import PoolProtocol
import PoolScheduler
import SeededRandom

/// A row that ends whoever lays it out, or that never ends.
enum Poison {
  case deadly, endless
}

/// A batch that a user of a simulated pool wants laid out.
struct SimulatedBatch {
  /// How its user goes about it.
  enum Plan {
    /// One client submits the batch and takes its results.
    case run
    /// One client hands it over, and another takes the results.
    case submitAndFetch
  }

  /// The number of workers that must have ended by chance while they had a row alone before the row is given up although
  /// it does no harm: the tries but one, because once it may be taken for the row behind it, when the message that it is
  /// done is lost.
  private static let misfortunesOfLostRow = Scheduler.maxTries - 1

  /// The excuse of a batch whose journal was damaged: rows may be lost.
  static let damaged = "damaged"

  let number: UInt32
  let description: BatchDescription
  let program: OwnedBytes
  let plan: Plan
  /// The lines of the input. Blank ones hold no row.
  let lines: [[UInt8]]
  let rows: UInt64
  let poisons: [UInt64: Poison]
  /// The number of workers that ended by chance while they had a row alone, by row.
  var misfortunes: [UInt64: Int] = [:]
  /// The name by which the coordinator keeps the batch, once a client knows it.
  var name = ""
  /// The faults after which an error is a right end.
  var excuses: Set<String> = []
  var outcome: Outcome?
  /// The rows that clients were sent without results.
  var lostRows: Set<UInt64> = []
  /// Whether the message that the tables are complete may be lost: the coordinator keeps the batch then.
  var isCompletionLost = false

  enum Outcome: Equatable {
    case done, cancelled
    case failed(String)
  }

  init(number: UInt32, programs: [OwnedBytes], plan: Plan, resendsRows: Bool, _ random: inout SplitMix) {
    self.number = number
    self.plan = plan
    program = programs[random.below(programs.count)]
    // The text scale differs, so that the batch of a job can be recognized.
    let widths = random.below(4) == 0 ? [320.0, 390] : [390.0]
    description = BatchDescription(
      program: program.withBytes { SHA256.hash($0) },
      variants: widths.map { Variant(width: $0, textScale: 1 + Double(number), scale: 2) },
      priority: Int32(random.below(2)),
      input: "batch \(number)", resendsRows: resendsRows)
    var lines: [[UInt8]] = []
    var poisons: [UInt64: Poison] = [:]
    let rows = random.below([16, 16, 16, 60, 60, 200][random.below(6)])
    let harm = max(0, random.below(5) - 2)
    let padding = [1, 40, 900][random.below(3)]
    for row in 0..<rows {
      while random.below(12) == 0 { lines.append(random.below(2) == 0 ? [] : Array(" \t".utf8)) }
      var kind = "r"
      if harm > 0 && random.below(max(rows / harm, 1)) == 0 {
        let poison = random.below(4) == 0 ? Poison.endless : .deadly
        poisons[UInt64(row)] = poison
        kind = poison == .deadly ? "d" : "e"
      }
      let text = "\(kind) \(number) \(row) \(lines.count + 1) "
      lines.append(Array(text.utf8) + [UInt8](repeating: 0x78, count: random.below(padding)))
    }
    if random.below(4) == 0 { lines.append([]) }
    (self.lines, self.rows, self.poisons) = (lines, UInt64(rows), poisons)
  }

  /// The bytes of the input as clients read it: the last line of every other batch has no end.
  var bytes: Int {
    lines.isEmpty ? 0 : lines.reduce(0) { $0 + $1.count } + lines.count - (number % 2 == 0 ? 0 : 1)
  }

  /// Returns what is wrong with records that begin at a row, for one variant; nil when nothing is.
  func flaw(of records: [SimulatedRecord], from row: UInt64, variant: Int) -> String? {
    let width = description.variants[variant].width.bitPattern
    for (offset, record) in records.enumerated() {
      let row = row + UInt64(offset)
      if record.isLost && record.row == row && excuses.contains(Self.damaged) { continue }
      guard row < rows else { return "batch \(number) gets row \(row) of \(rows)" }
      let isPoison = poisons[row] != nil
      if record.isLost {
        let count = misfortunes[row, default: 0]
        guard record.row == row, isPoison || count >= Self.misfortunesOfLostRow else {
          return "row \(row) of batch \(number) is lost after \(count) misfortunes"
        }
      } else if record != SimulatedRecord(batch: number, row: row, width: width) || isPoison {
        return "row \(row) of batch \(number) is \(record), poisoned: \(isPoison)"
      }
    }
    return nil
  }
}
