import ArgumentParser
import Buffers
import ListTables

extension ListInsets {
  /// Reads an option such as `16,16,16,16`.
  ///
  /// - Parameter option: The name of the option, for errors.
  /// - Throws: `ValidationError` unless there are four lengths.
  init(_ list: NumberList, _ option: String) throws {
    let numbers = list.numbers
    guard numbers.count == 4 else {
      throw ValidationError("\(option) needs four numbers: top,left,bottom,right, such as 16,16,16,16")
    }
    for number in numbers { try LengthOption.check(number, option) }
    self.init(top: numbers[0], left: numbers[1], bottom: numbers[2], right: numbers[3])
  }
}

/// The limits of lengths in options.
enum LengthOption {
  /// Throws a `ValidationError` if a number is not a length.
  static func check(_ length: Double, _ option: String) throws {
    guard length >= 0, length < ArrangementRules.lengthLimit else {
      throw ValidationError(
        "\(option) \(shortText(length)) is not a length; a length is at least 0 and below "
          + "\(Int(ArrangementRules.lengthLimit)) points")
    }
  }
}
