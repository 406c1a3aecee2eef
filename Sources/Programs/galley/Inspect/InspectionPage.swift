import BatchLayout

/// A self-contained HTML page that shows rows in all variants. The frame of a node is visible when the pointer is over
/// it, or when all frames are switched on.
struct InspectionPage {
  /// A row in all variants.
  struct Row {
    let number: UInt64
    let cells: [CellInspection]
  }

  let title: String
  let rows: [Row]

  private static let style = """
    :root{color-scheme:light dark;--page:#f3f5f7;--ink:#16191d;--quiet:#67737f;--paper:#fff;--edge:#dfe4e9;
    --media:#e6ebf0;--sign:#b9c4cf;--button:#e2f1e5;--accent:#2f6fde;--wrong:#d2353b}
    @media (prefers-color-scheme:dark){:root{--page:#101214;--ink:#eceff2;--quiet:#95a1ad;--paper:#1b1e22;--edge:#33393f;
    --media:#2b3036;--sign:#59636d;--button:#233a28;--accent:#7eb0ff;--wrong:#ff6b70}}
    *{box-sizing:border-box}
    body{margin:0;padding:24px 32px 64px;background:var(--page);color:var(--ink);
    font:14px/1.45 Inter,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
    header{display:flex;flex-wrap:wrap;align-items:baseline;gap:4px 20px;margin-bottom:20px}
    h1{font-size:20px;margin:0}
    header p{margin:0;color:var(--quiet)}
    label{margin-left:auto;cursor:pointer}
    section{padding:16px 0 20px;border-top:1px solid var(--edge)}
    h2{font-size:14px;margin:0 0 12px;font-weight:600}
    h2 a{color:inherit;text-decoration:none}
    h2 span{font-weight:400;color:var(--quiet);margin-left:8px}
    .widths{display:flex;flex-wrap:wrap;align-items:flex-start;gap:20px 32px}
    figure{margin:0;max-width:100%}
    figcaption{font-size:12px;color:var(--quiet);margin-bottom:6px}
    svg.picture{display:block;overflow:visible;max-width:none}
    ul{margin:4px 0 0;padding:0;list-style:none;font-size:12px;color:var(--wrong)}
    li{margin-top:2px;overflow-wrap:anywhere}
    .cell{fill:var(--paper);stroke:var(--edge)}
    .frame{fill:none;pointer-events:all}
    .media .frame{fill:var(--media)}
    .button .frame{fill:var(--button)}
    .sign{fill:var(--sign)}
    .sign,use,.label,.tip,.heading{pointer-events:none}
    .node .frame{stroke:var(--edge)}
    .item use{fill:var(--ink)}
    .item .missing{fill:var(--wrong);fill-opacity:.5}
    .words{fill-opacity:0}
    .label{font-size:9px;fill:var(--quiet);display:none}
    .tip{font-size:11px;fill:var(--accent);display:none}
    #frames:checked~main .frame{stroke:var(--accent);stroke-width:.5;stroke-opacity:.7}
    #frames:checked~main .label{display:inline;font-size:7px}
    .item:hover .frame,#frames:checked~main .item:hover .frame{stroke:var(--accent);stroke-width:1.5;stroke-opacity:1}
    .item:hover .tip{display:inline}
    .beyond{fill:var(--wrong);fill-opacity:.3;stroke:var(--wrong)}
    .outside{fill:none;stroke:var(--wrong);stroke-dasharray:4 2;pointer-events:stroke}
    .lost{stroke:var(--wrong);stroke-width:3;stroke-linecap:square}
    #frames{position:absolute;opacity:0}
    #frames~header label::before{content:"\\2610  "}
    #frames:checked~header label::before{content:"\\2611  "}
    #frames:focus-visible~header label{outline:2px solid var(--accent)}
    @media (max-width:520px){body{padding:16px 12px 48px}.widths{overflow-x:auto;flex-wrap:nowrap}figure{flex:none;max-width:none}}
    """

  var html: String {
    let all = rows.flatMap(\.cells)
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width,initial-scale=1">
      <title>\(escaped(title))</title>
      <style>
      \(Self.style)
      </style>
      </head>
      <body>
      <svg width="0" height="0" style="position:absolute" aria-hidden="true">\(GlyphSheet(all).definitions)</svg>
      <input type="checkbox" id="frames">
      <header><h1>\(escaped(title))</h1><p>\(summary)</p><label for="frames">Show all frames</label></header>
      <main>
      \(rows.map(section).joined(separator: "\n"))
      </main>
      </body>
      </html>

      """
  }

  private var summary: String {
    let count = rows.count == 1 ? "1 row" : "\(rows.count) rows"
    let bad = rows.filter { $0.cells.contains { $0.error != nil } }.count
    let tight = rows.filter { $0.cells.contains { !$0.overflow.isEmpty } }.count
    var parts = [count]
    if bad > 0 { parts.append(bad == 1 ? "1 is bad" : "\(bad) are bad") }
    if tight > 0 { parts.append(tight == 1 ? "in 1 something does not fit" : "in \(tight) something does not fit") }
    return parts.joined(separator: ", ") + ". Point at a node to see its frame."
  }

  private func section(_ row: Row) -> String {
    let id = row.cells.first?.id ?? ""
    let name = row.cells.first?.cell ?? ""
    let labels = [id, name].filter { !$0.isEmpty }.map { "<span>\(escaped($0))</span>" }.joined()
    return """
      <section id="row-\(row.number)">
      <h2><a href="#row-\(row.number)">Row \(row.number)</a>\(labels)</h2>
      <div class="widths">
      \(row.cells.map(figure).joined(separator: "\n"))
      </div>
      </section>
      """
  }

  private func figure(_ cell: CellInspection) -> String {
    let picture = CellPicture(cell)
    let bounds = picture.bounds
    let height = bounds.size.height + CellPicture.tipHeight
    let problems = InspectionSVG.problems(of: cell).map { "<li>\(escaped($0))</li>" }.joined()
    let width = svg(max(bounds.size.width, cell.variant.width))
    let drawing = """
      <svg class="picture" width="\(svg(bounds.size.width))" height="\(svg(height))" viewBox="\(svg(bounds.origin.x)) \
      \(svg(bounds.origin.y)) \(svg(bounds.size.width)) \(svg(height))">
      \(picture.elements(tips: true).joined(separator: "\n"))
      </svg>
      """
    return """
      <figure style="width:\(width)px"><figcaption>\(InspectionSVG.heading(cell))</figcaption>
      \(cell.isUnknown ? "" : drawing)\(problems.isEmpty ? "" : "<ul>\(problems)</ul>")</figure>
      """
  }
}
