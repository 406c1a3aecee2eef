import Buffers
import GalleyTestSupport
import LayoutEngine

@testable import CellTemplates

/// Two fonts in Inter.
let twoFonts = #""a":{"face":0,"size":10},"b":{"face":0,"size":20}"#

/// Returns a binder that has bound a row to a cell class with a layout.
func binder(
  _ layout: String, _ row: String, width: Double = 100, fonts: String = twoFonts, platforms: String = "{}"
) throws -> RowBinder {
  let binder = RowBinder(
    try Programs.compile(
      #"{"platforms":\#(platforms),"fonts":{\#(fonts)},"cells":{"A":{"layout":\#(layout)}}}"#,
      faces: [Programs.face("Inter-Regular.otf")]))
  try binder.read(Programs.row(row))
  try binder.bind(SizeRange(width: width))
  return binder
}

/// Returns the runs of a text in a row, such as `@ada|30 2 of 40.0` for the text, the size, the index of the font, which is `a`, `b`
/// or `c`, and the height of a line that it states.
func runs(_ text: String, _ row: String) throws -> [String] {
  let fonts = twoFonts + #","c":{"face":0,"size":30}"#
  let binder = try binder(#"{"type":"text",\#(text)}"#, row, fonts: fonts)
  return binder.state.runs.values.map {
    "\($0.text.string)|\(Int($0.style.size)) \($0.font)\($0.style.lineHeight.isNaN ? "" : " of \($0.style.lineHeight)")"
  }
}

/// Returns the text of the error of `body`, or `no error`.
func errorText(_ body: () throws -> Void) -> String {
  do { try body() } catch { return "\(error)" }
  return "no error"
}

extension RowBinder {
  /// Returns the frames of the bound row by name, with the layouts of its nodes in the sizes that they get.
  func frames(in range: SizeRange) throws -> [String: Rect] {
    var solver = LayoutSolver(scale: 2)
    var frames = FlatBuffer<Frame>()
    for pass in 0..<10 {
      frames.removeAll()
      _ = try solver.layout(tree, in: range, leaves: .empty, frames: &frames)
      if solver.requests.count == 0 { break }
      try bind(adding: solver.requests.values, again: pass > 0)
    }
    var named: [String: Rect] = [:]
    for index in 1..<max(frames.count, 1) {
      var name = FlatBuffer<UInt8>()
      appendName(of: frames[index].element, index: index - 1, to: &name)
      named[String(decoding: name.values, as: UTF8.self)] = frames[index].rect
    }
    return named
  }
}
