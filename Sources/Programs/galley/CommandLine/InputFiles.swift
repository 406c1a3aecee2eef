import ArgumentParser
import CellsFiles
import RowsFiles

/// The files that a command reads.
enum InputFiles {
  /// Throws a `ValidationError` if a file of results would replace one of the inputs, which would be lost. A link may lead from one
  /// to the other.
  ///
  /// - Parameters:
  ///   - path: The file that the command writes.
  ///   - option: The option that states the file, with its value.
  ///   - inputs: The paths of the inputs; - is standard input.
  ///   - kind: What the option states.
  static func check(
    _ path: String, of option: String, replacesNoneOf inputs: [String], kind: String = "file"
  ) throws {
    // Devices and pipes are written to in place, and nothing is lost.
    guard let output = FileIdentity(path: path), output.isRegularFile else { return }
    let replaced = inputs.first {
      FileIdentity(path: $0 == "-" ? "/dev/stdin" : $0)?.isSameFile(as: output) == true
    }
    guard let replaced else { return }
    throw ValidationError(
      "\(option) would replace \(RowsReader.name(of: [replaced])), which the command reads; give another \(kind)")
  }
}
