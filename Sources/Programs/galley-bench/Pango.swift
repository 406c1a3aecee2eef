import Buffers
import Glibc

/// The functions of Pango for comparisons. The library is loaded at run time, so that the build does not depend on it.
struct Pango {
  private typealias Make = @convention(c) () -> OpaquePointer?
  private typealias Derive = @convention(c) (OpaquePointer?) -> OpaquePointer?
  private typealias Describe = @convention(c) (UnsafePointer<CChar>) -> OpaquePointer?
  private typealias SetSize = @convention(c) (OpaquePointer?, Double) -> Void
  private typealias SetDescription = @convention(c) (OpaquePointer?, OpaquePointer?) -> Void
  private typealias SetNumber = @convention(c) (OpaquePointer?, Int32) -> Void
  private typealias SetText = @convention(c) (OpaquePointer?, UnsafePointer<UInt8>, Int32) -> Void
  private typealias Count = @convention(c) (OpaquePointer?) -> Int32

  private static let unitsPerPixel = 1024.0

  private let layout: OpaquePointer?
  private let description: OpaquePointer?
  private let setDescription: SetDescription
  private let setSize: SetSize
  private let setWidth: SetNumber
  private let setText: SetText
  private let countLines: Count

  /// Loads Pango, or returns nil if it is not installed.
  init?() {
    guard let library = dlopen("libpangoft2-1.0.so.0", RTLD_NOW | RTLD_GLOBAL) else { return nil }
    func find<Function>(_ name: String, _: Function.Type) -> Function? {
      dlsym(library, name).map { unsafeBitCast($0, to: Function.self) }
    }
    guard let newMap = find("pango_ft2_font_map_new", Make.self),
      let newContext = find("pango_font_map_create_context", Derive.self),
      let newLayout = find("pango_layout_new", Derive.self),
      let describe = find("pango_font_description_from_string", Describe.self),
      let setSize = find("pango_font_description_set_absolute_size", SetSize.self),
      let setDescription = find("pango_layout_set_font_description", SetDescription.self),
      let setWidth = find("pango_layout_set_width", SetNumber.self),
      let setText = find("pango_layout_set_text", SetText.self),
      let countLines = find("pango_layout_get_line_count", Count.self)
    else { return nil }
    layout = newLayout(newContext(newMap()))
    description = describe("Inter")
    self.setDescription = setDescription
    self.setSize = setSize
    self.setWidth = setWidth
    self.setText = setText
    self.countLines = countLines
  }

  /// Returns the times of texts after one warm-up pass.
  func measure(_ texts: [ByteString], size: Double) -> TextReport.Times {
    setSize(description, size * Self.unitsPerPixel)
    setDescription(layout, description)
    var times = TextReport.Times()
    for _ in 0..<2 {
      times = TextReport.times(of: texts) { text, width in
        if let text { setText(layout, text.start, Int32(text.count)) }
        setWidth(layout, Int32(width * Self.unitsPerPixel))
        _ = countLines(layout)
      }
    }
    return times
  }
}
