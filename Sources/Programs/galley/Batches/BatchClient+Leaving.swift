import PoolClient
import ZeroMQ

extension BatchClient {
  /// Calls a function that has the coordinator lay out a batch. If it throws, the batch is removed, or stays if the coordinator has all of
  /// its rows, which is then said with its name.
  func leavingBatch<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch {
      // A coordinator that does not accept this client has no batch of it.
      if error is ZeroMQError { throw error }
      // Rows that are bad would be so again, and nobody fetches a batch without its name.
      let keeps = Messages.haveWarnings && (error as? RunFailure)?.isOfRow != true
      if let name = leave(keeps: keeps) {
        Messages.warning(
          "batch \(name) goes on without this command; galley fetch \(name) takes its tables, and galley cancel \(name) ends it"
        )
      }
      throw error
    }
  }
}
