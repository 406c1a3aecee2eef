import ArgumentParser

struct CancelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel", abstract: "Cancel a batch of a coordinator and discard its results.",
    discussion: "Example: galley cancel mgx2k1c0 --connect ipc:///run/user/1000/galley")

  @Argument(help: "The name of the batch, which galley submit --detach and galley status print.")
  var batch: String

  @OptionGroup var coordinator: CoordinatorOptions

  func run() throws { try coordinator.client().cancel(batch) }
}
