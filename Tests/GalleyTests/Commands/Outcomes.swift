import GalleyTestSupport
import Testing

extension Galley.Outcome {
  /// Expects that the program has succeeded.
  @discardableResult
  func expectSuccess(sourceLocation: SourceLocation = #_sourceLocation) -> Galley.Outcome {
    #expect(code == 0, "\(errors)", sourceLocation: sourceLocation)
    return self
  }

  /// Expects that the program has ended with an exit code, and that its errors have a text.
  @discardableResult
  func expectFailure(
    _ code: Int32, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Galley.Outcome {
    #expect(self.code == code, "\(errors)", sourceLocation: sourceLocation)
    #expect(errors.contains(text), "\(errors)", sourceLocation: sourceLocation)
    return self
  }
}

/// A cells file with a class whose cells are a text.
let textCells = """
  version: 1
  fonts: {body: {family: Inter, size: 15, lineHeight: 20}}
  cells: {A: {layout: {type: text, id: text, text: "{text}", font: body}}}
  """

extension Scratch {
  /// Lays out rows in one process, whose tables are in a directory of this one.
  func layOut(
    _ rows: String, _ cells: String, width: String = "390", to output: String, _ more: [String] = [], input: String = ""
  ) throws -> Galley.Outcome {
    try Galley.run(
      ["layout", rows, "--cells", cells, "--width", width, "--output", path(output), "--in-process"] + more,
      input: input)
  }
}
