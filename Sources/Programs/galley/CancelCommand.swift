import ArgumentParser

struct CancelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel", abstract: "End a batch of a coordinator, and forget what is done of it.",
    discussion: "Example: galley cancel mgx2k1c0 --connect ipc:///run/user/1000/galley")

  @Argument(help: "The batch, as galley submit --detach and galley status name it.")
  var batch: String

  @OptionGroup var coordinator: CoordinatorOptions

  func run() throws { try coordinator.client().cancel(batch) }
}
