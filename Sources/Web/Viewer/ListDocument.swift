import Buffers
import LayoutEngine

/// The document that describes the list: `list.json`.
enum ListDocument {
  static func text(_ list: ViewedList, _ problem: ViewedProblem?, _ options: ViewService.Options) -> String {
    var json = JSONText()
    json.append(#"{"revision":"#, list.revision)
    json.append(#","title":"#, list.run.title)
    json.append(#","rows":"#, list.run.rowCount)
    json.append(#","variants":"#, list.run.variants)
    json.append(#","has_texts":"#, list.texts != nil)
    json.append(#","watches":"#, options.watches)
    json.append(#","loads_images":"#, options.loadsImages)
    json.append(#","has_base":"#, options.base != nil)
    json.append(#","has_replay":"#, options.replay != nil)
    json.append(#","fonts":"#, list.texts?.fonts.faces ?? [])
    json.append(#","error":"#, problem ?? list.texts?.problem)
    json.append("}")
    return json.text
  }
}

extension ViewedRun.Variant: JSONWritable {
  package func append(to json: inout JSONText) {
    json.append(#"{"name":"#, name)
    json.append(#","width":"#, width)
    json.append(#","platform":"#, numbers?.platform.name)
    json.append(#","text_scale":"#, numbers?.textScale ?? 1)
    json.append(#","text_size":"#, numbers?.textSize?.name)
    json.append(#","layout_direction":"#, numbers?.layoutDirection.name)
    json.append(#","scale":"#, numbers?.scale ?? 2)
    json.append(#","height":"#, tables.heights.contentHeight)
    json.append(#","bad_rows":"#, badRows)
    json.append("}")
  }
}
