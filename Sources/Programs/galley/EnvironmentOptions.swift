import ArgumentParser
import Foundation

/// The options that are set by environment variables, such as `GALLEY_TEXT_SCALE=1.35` for `--text-scale 1.35`. Every
/// option of every verb has a variable.
enum EnvironmentOptions {
  private static let prefix = "GALLEY_"

  /// Returns the arguments with the options added that environment variables set and the arguments lack.
  static func adding(
    to arguments: [String], environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> [String] {
    guard let verb = arguments.first,
      let command = Galley.configuration.subcommands.first(where: { $0._commandName == verb })
    else { return arguments }
    var added: [String] = []
    for option in options(of: command) {
      let variable = prefix + option.name.uppercased().replacingOccurrences(of: "-", with: "_")
      let flag = "--\(option.name)"
      guard let value = environment[variable], !value.isEmpty,
        !arguments.contains(where: { $0 == flag || $0.hasPrefix(flag + "=") })
      else { continue }
      if option.takesValue {
        added += ["\(flag)=\(value)"]
      } else if ["1", "true", "yes"].contains(value.lowercased()) {
        added.append(flag)
      }
    }
    return [verb] + added + arguments.dropFirst()
  }

  /// Returns the options that a command declares, by the names of its properties.
  private static func options(of command: any ParsableArguments.Type) -> [(name: String, takesValue: Bool)] {
    options(in: Mirror(reflecting: command.init()))
  }

  private static func options(in mirror: Mirror) -> [(name: String, takesValue: Bool)] {
    mirror.children.flatMap { child -> [(name: String, takesValue: Bool)] in
      guard let label = child.label else { return [] }
      let type = "\(Swift.type(of: child.value))"
      if type.hasPrefix("Option<") { return [(kebab(label), true)] }
      if type.hasPrefix("Flag<") { return [(kebab(label), false)] }
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
}

/// An option group of any type.
private protocol OptionGroupType {
  var optionsType: any ParsableArguments.Type { get }
}

extension OptionGroup: OptionGroupType {
  var optionsType: any ParsableArguments.Type { Value.self }
}
