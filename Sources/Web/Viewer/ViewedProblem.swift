import Buffers
import CellsFiles

/// An error that the page shows above the list.
package struct ViewedProblem: Error, Equatable, Sendable, JSONWritable {
  package let message: String
  /// The place in the cells file, counted from 1.
  package let line: Int?
  package let column: Int?

  package init(_ message: String, line: Int? = nil, column: Int? = nil) {
    self.message = message
    self.line = line
    self.column = column
  }

  /// The mistakes of a cells file, with the place of the first.
  package init(_ error: CellsFileError) {
    self.init(error.description, line: error.mistakes.first?.line, column: error.mistakes.first?.column)
  }

  /// The error as a JSON object.
  var json: String {
    var json = JSONText()
    append(to: &json)
    return json.text
  }

  package func append(to json: inout JSONText) {
    json.append(#"{"message":"#, message)
    json.append(#","line":"#, line)
    json.append(#","column":"#, column)
    json.append("}")
  }
}
