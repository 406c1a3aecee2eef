import Foundation

/// The options that are set by environment variables, such as `GALLEY_TEXT_SCALE=1.35` for `--text-scale 1.35`.
enum EnvironmentOptions {
  private static let prefix = "GALLEY_"

  /// Returns the arguments with the options added that environment variables set and the arguments lack, the names of these
  /// variables, and a sentence about each variable whose value does not say whether it sets a flag.
  static func adding(
    to arguments: [String], environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> (arguments: [String], variables: [String], mistakes: [String]) {
    guard environment.keys.contains(where: { $0.hasPrefix(prefix) }),
      let (options, names) = CommandOption.options(of: arguments)
    else { return (arguments, [], []) }
    var added: [String] = []
    var variables: [String] = []
    var mistakes: [String] = []
    for option in options {
      let flag = "--\(option.name)"
      guard let variable = variable(of: option, verb: arguments[0]), let value = environment[variable], !value.isEmpty,
        !arguments.contains(where: { argument in
          option.forms.contains { argument == $0 || argument.hasPrefix($0 + "=") }
        })
      else { continue }
      if option.takesValue {
        added.append("\(flag)=\(value)")
      } else if ["1", "true", "yes"].contains(value.lowercased()) {
        added.append(flag)
      } else {
        if !["0", "false", "no"].contains(value.lowercased()) {
          mistakes.append(
            "\(variable)=\(value) does not set \(flag); 1, true and yes set it, and 0, false and no do not")
        }
        continue
      }
      variables.append(variable)
    }
    return (arguments.prefix(names) + added + arguments.dropFirst(names), variables, mistakes)
  }

  /// Returns the variable of an option of a verb. `--columns` is a number of columns of `arrange`, and a choice of other verbs.
  /// The flags of `inspect` have none, because they exclude each other.
  private static func variable(of option: CommandOption, verb: String) -> String? {
    if verb == "inspect", !option.takesValue { return nil }
    let name = option.name == "columns" && verb != "arrange" ? "table-columns" : option.name
    return prefix + name.uppercased().replacingOccurrences(of: "-", with: "_")
  }
}
