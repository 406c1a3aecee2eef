import CellTemplates
import PoolClientCore

extension CoordinatorOptions {
  /// Calls `body`. If the coordinator reports a failure and has no batch of that name, the error suggests a similar name.
  func suggesting<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch PoolError.failed(let reason) {
      let names = (try? coordinatorClient().batches().map(\.name)) ?? []
      throw RunFailure(message: reason + (names.contains(name) ? "" : didYouMean(name, among: names)))
    }
  }
}
