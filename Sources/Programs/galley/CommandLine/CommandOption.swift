import ArgumentParser

/// An option of a command, as it is declared.
struct CommandOption {
  /// The name without hyphens, such as `text-scale`.
  let name: String
  let takesValue: Bool
  /// Whether the option can be given several times.
  let isRepeatable: Bool

  /// The forms in which the option is written. Only `--output` of `galley pack` has a short form.
  var forms: [String] { name == "output" ? ["--output", "-o"] : ["--\(name)"] }

  /// Returns the options of a verb, or nil if there is no such verb.
  static func options(ofVerb verb: String) -> [CommandOption]? {
    Galley.configuration.subcommands.first { $0._commandName == verb }.map { options(of: $0) }
  }

  /// Returns the options that a command declares, by the names of its properties.
  private static func options(of command: any ParsableArguments.Type) -> [CommandOption] {
    Mirror(reflecting: command.init()).children.flatMap { child -> [CommandOption] in
      guard let label = child.label else { return [] }
      let type = "\(Swift.type(of: child.value))"
      if type.hasPrefix("Option<") {
        return [CommandOption(name: kebab(label), takesValue: true, isRepeatable: type.contains("Array<"))]
      }
      if type.hasPrefix("Flag<") { return [CommandOption(name: kebab(label), takesValue: false, isRepeatable: true)] }
      guard let group = child.value as? any OptionGroupType else { return [] }
      return options(of: group.optionsType)
    }
  }

  /// Converts the name of a property, such as `_textScale`, to that of its option, `text-scale`.
  private static func kebab(_ label: String) -> String {
    var name = ""
    for character in label.drop(while: { $0 == "_" }) {
      if character.isUppercase { name += "-" }
      name += character.lowercased()
    }
    return name
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

/// An option group of any type.
private protocol OptionGroupType {
  var optionsType: any ParsableArguments.Type { get }
}

extension OptionGroup: OptionGroupType {
  var optionsType: any ParsableArguments.Type { Value.self }
}
