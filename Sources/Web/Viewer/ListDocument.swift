import Buffers
import LayoutEngine

/// The document that describes the list: `list.json`.
enum ListDocument {
  static func text(_ list: ViewedList, _ problem: ViewedProblem?, _ options: Viewer.Options) -> String {
    var json = JSONText()
    json.append(#"{"generation":"#)
    json.append(list.generation)
    json.append(#","title":"#)
    json.append(string: list.run.title)
    json.append(#","rows":"#)
    json.append(list.run.rowCount)
    json.append(#","variants":["#)
    for (index, variant) in list.run.variants.enumerated() {
      json.separate(index)
      append(variant, to: &json)
    }
    json.append(#"],"has_texts":"#)
    json.append(list.texts != nil)
    json.append(#","watches":"#)
    json.append(options.watches)
    json.append(#","loads_images":"#)
    json.append(options.loadsImages)
    json.append(#","has_base":"#)
    json.append(options.base != nil)
    json.append(#","has_replay":"#)
    json.append(options.replay != nil)
    json.append(#","fonts":["#)
    for (index, font) in (list.texts?.fonts.faces ?? []).enumerated() {
      json.separate(index)
      font.append(to: &json)
    }
    json.append(#"],"error":"#)
    if let problem = problem ?? list.texts?.problem { problem.append(to: &json) } else { json.append("null") }
    json.append("}")
    return json.text
  }

  private static func append(_ variant: ViewedRun.Variant, to json: inout JSONText) {
    json.append(#"{"name":"#)
    json.append(string: variant.name)
    json.append(#","width":"#)
    json.append(variant.width)
    json.append(#","text_scale":"#)
    json.append(variant.numbers?.textScale ?? 1)
    json.append(#","scale":"#)
    json.append(variant.numbers?.scale ?? 2)
    json.append(#","height":"#)
    json.append(variant.tables.heights.contentHeight)
    json.append(#","bad_rows":"#)
    json.append(variant.badRows)
    json.append("}")
  }
}
