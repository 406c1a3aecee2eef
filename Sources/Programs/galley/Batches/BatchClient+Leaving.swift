import PoolClient

extension BatchClient {
  /// Calls a function that has the coordinator lay out a batch. If it throws before the batch has ended, the batch is removed, or goes on
  /// if the coordinator has all of its rows, which is then noted with its name.
  func leavingBatch<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch {
      if let name = leave() {
        Messages.note(
          "batch \(name) goes on without this command; galley fetch \(name) takes its tables, and galley cancel \(name) ends it"
        )
      }
      throw error
    }
  }
}
