import Processes

StandardStream.replaceClosed()
// GALLEY_… variables add options that the command line lacks.
Program.run(Array(CommandLine.arguments.dropFirst()))
