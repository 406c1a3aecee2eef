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

  /// Returns the options of the verb that arguments begin with, and the number of arguments that name it: two for a verb of
  /// a verb, as in `calibrate sample`. Returns nil if there is no such verb.
  static func options(of arguments: [String]) -> (options: [CommandOption], names: Int)? {
    var (command, names) = (Galley.self as any ParsableCommand.Type, 0)
    for argument in arguments {
      guard let next = command.configuration.subcommands.first(where: { $0._commandName == argument }) else { break }
      (command, names) = (next, names + 1)
    }
    guard names > 0 else { return nil }
    let description = try? JSONDecoder().decode(Description.self, from: Data(command._dumpHelp().utf8))
    return description?.command.arguments.map { ($0.compactMap { CommandOption($0) }, names) }
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

  /// Returns the arguments with each negative number joined to the option before it, as in `--offset=-3`. ArgumentParser would
  /// take `-3` for an option.
  static func joiningNegativeNumbers(in arguments: [String]) -> [String] {
    let named = arguments.prefix { $0 != "--" }
    guard named.contains(where: isNegativeNumber), let (options, _) = options(of: arguments) else { return arguments }
    let names = Set(options.filter(\.takesValue).map { "--\($0.name)" })
    var joined: [String] = []
    for argument in named {
      if isNegativeNumber(argument), let option = joined.last, names.contains(option) {
        joined[joined.count - 1] = "\(option)=\(argument)"
      } else {
        joined.append(argument)
      }
    }
    return joined + arguments.dropFirst(named.count)
  }

  private static func isNegativeNumber(_ argument: String) -> Bool {
    guard argument.hasPrefix("-") else { return false }
    let digits = argument.dropFirst(argument.hasPrefix("-.") ? 2 : 1)
    return digits.first.map { "0"..."9" ~= $0 } ?? false
  }

  /// Throws a `ValidationError` if the arguments have an option twice that has one value, because one of the two would
  /// be ignored.
  static func checkRepetitions(in arguments: [String]) throws {
    let named = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("-") }.map { $0.prefix { $0 != "=" } }
    // The description of options takes 2 ms. It is needed if a name is there twice, or a short one, which stands for a long one.
    guard Set(named).count < named.count || named.contains(where: { !$0.hasPrefix("--") }),
      let (options, _) = options(of: arguments)
    else { return }
    for option in options where !option.isRepeatable && named.count(where: { option.forms.contains(String($0)) }) > 1 {
      throw ValidationError("--\(option.name) is given twice; it has one value")
    }
  }
}
