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

/// Returns what `body` returns, or the text of its error.
func textOrError(_ body: () throws -> String) -> String {
  do { return try body() } catch let error as CellError { return error.description } catch { return "\(error)" }
}
