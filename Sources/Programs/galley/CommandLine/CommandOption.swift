import ArgumentParser
import Foundation

/// An option of a command, as ArgumentParser describes it for tools.
struct CommandOption {
  /// The name without hyphens, such as `text-scale`.
  let name: String
  /// The forms in which the option is written, such as `--output` and `-o`.
  let forms: [String]
  let takesValue: Bool
  /// Whether the option can be given several times.
  let isRepeatable: Bool

  /// Returns the options of a verb, or nil if there is no such verb.
  static func options(ofVerb verb: String) -> [CommandOption]? {
    guard let command = Galley.configuration.subcommands.first(where: { $0._commandName == verb }) else { return nil }
    let description = try? JSONDecoder().decode(Description.self, from: Data(command._dumpHelp().utf8))
    return description?.command.arguments?.compactMap { CommandOption($0) }
  }

  /// The part of `--experimental-dump-help` that describes options (ToolInfoV0 of ArgumentParser).
  private struct Description: Decodable {
    struct Command: Decodable { let arguments: [Argument]? }

    let command: Command
  }

  private struct Argument: Decodable {
    struct Name: Decodable { let kind, name: String }

    /// `positional`, `option` or `flag`.
    let kind: String
    let isRepeating: Bool
    let names: [Name]?
  }

  /// The options that ArgumentParser adds to every command.
  private static let ofParser: Set = ["help", "version"]

  /// Returns nil for an argument without a name, and for an option of the parser.
  private init?(_ argument: Argument) {
    guard let names = argument.names, let long = names.first(where: { $0.kind == "long" })?.name,
      !Self.ofParser.contains(long)
    else { return nil }
    name = long
    forms = names.map { $0.kind == "long" ? "--\($0.name)" : "-\($0.name)" }
    takesValue = argument.kind == "option"
    isRepeatable = !takesValue || argument.isRepeating
  }

  /// Throws a `ValidationError` if the arguments have an option twice that has one value, because one of the two would
  /// be ignored.
  static func checkRepetitions(in arguments: [String]) throws {
    guard let verb = arguments.first, let options = options(ofVerb: verb) else { return }
    let named = arguments.prefix { $0 != "--" }.map { $0.prefix { $0 != "=" } }
    for option in options where !option.isRepeatable && named.count(where: { option.forms.contains(String($0)) }) > 1 {
      throw ValidationError("--\(option.name) is given twice; it has one value")
    }
  }
}
