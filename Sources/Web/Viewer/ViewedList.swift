import HTTPServing
import LayoutEngine
import ListTables
import Synchronization

/// One revision of the list: tables that never change, and what was computed from them.
final class ViewedList: Sendable {
  let run: ViewedRun
  /// The texts of the rows, if rows and a cells file are given.
  let texts: ViewedTexts?
  let revision: Int
  let base: ViewedRun?
  let replay: ViewedReplay?
  private let distributions = Mutex<[String: HeightDistribution]>([:])
  private let changes = Mutex<[String: ListChanges]>([:])

  init(_ run: ViewedRun, texts: ViewedTexts?, revision: Int, _ options: ViewService.Options) {
    self.run = run
    self.texts = texts
    self.revision = revision
    base = options.base
    replay = options.replay
  }

  /// Returns a variant by its name.
  func variant(_ name: String) throws(Problem) -> ViewedRun.Variant {
    guard let variant = run.variant(named: name) else {
      throw Problem(
        404, "No such variant",
        "The list has no variant \(name); its variants are \(run.variants.map(\.name).joined(separator: ", ")).")
    }
    return variant
  }

  /// Returns the distribution of the heights in a variant, which is computed once.
  func distribution(_ variant: ViewedRun.Variant) -> HeightDistribution {
    distributions.withLock { known in
      if let distribution = known[variant.name] { return distribution }
      let distribution = HeightDistribution(variant.tables.heights)
      known[variant.name] = distribution
      return distribution
    }
  }

  /// Returns the changes of a variant since the run with which the list is compared. They are computed once.
  func changes(_ variant: ViewedRun.Variant, from old: ViewedRun.Variant) throws -> ListChanges {
    try changes.withLock { known in
      if let changes = known[variant.name] { return changes }
      let changes = try ListChanges(from: old.tables, to: variant.tables)
      known[variant.name] = changes
      return changes
    }
  }
}
