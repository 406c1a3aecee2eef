import PoolClient
import ZeroMQ

extension BatchClient {
  /// Calls a function that has the coordinator lay out a batch. If it throws, the batch is removed, or stays if the coordinator has all of
  /// its rows, which is then said with its name.
  func leavingBatch<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch {
      // A coordinator that accepts this client no longer, for example because its key was revoked, cannot be asked to remove the batch.
      if error is ZeroMQError {
        guard let name = storedName else { throw error }
        let keys = "with an allowed key of the same name or that of an operator"
        throw RunFailure(message: "\(error); \(Self.text(ofBatch: name)), \(keys)")
      }
      // Rows that are bad would be so again, and nobody fetches a batch without its name.
      let keeps = Messages.haveWarnings && (error as? RunFailure)?.isOfRow != true
      if let name = leave(keeps: keeps) { Messages.warning(Self.text(ofBatch: name)) }
      throw error
    }
  }

  private static func text(ofBatch name: String) -> String {
    "batch \(name) goes on without this command; galley fetch \(name) takes its tables, and galley cancel \(name) ends it"
  }
}
