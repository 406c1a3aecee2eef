import ArgumentParser

struct CalibrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Compare the texts of a device with the layout, and fit a calibration for the cells file.",
    discussion: """
      sample writes a kit: some 500 texts, their fonts, and programs that measure the texts on a device. compare says
      what differs on the device, and prints the calibration with which the layout measures as the device does.

      Examples:
        galley calibrate sample posts.jsonl --cells posts.yaml --width 390 --platform flutter --output kit
        galley calibrate compare kit measured.jsonl
      """,
    // The names of the verbs of this verb are those of their types.
    subcommands: [Sample.self, Compare.self])
}
