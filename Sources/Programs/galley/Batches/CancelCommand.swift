import ArgumentParser

struct CancelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel", abstract: "Cancel batches of a coordinator and discard their results.",
    discussion: """
      Examples: galley cancel mgx2k1c0 --connect ipc:///run/user/1000/galley
                galley cancel --all --connect ipc:///run/user/1000/galley
      """)

  @Argument(help: "The name of the batch, which galley submit --detach and galley batches print.")
  var batch: String?

  @Flag(help: "Cancel all batches.")
  var all = false

  @OptionGroup var coordinator: CoordinatorOptions

  func validate() throws {
    guard (batch == nil) == all else { throw ValidationError("Name a batch, or give --all") }
  }

  func run() throws {
    guard let batch else {
      let count = try coordinator.coordinatorClient().cancelAll()
      return try Results.print("cancelled \(count) \(count == 1 ? "batch" : "batches")")
    }
    try coordinator.suggesting(batch) { try coordinator.client().cancel(batch) }
  }
}
