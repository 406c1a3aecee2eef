// The rows of a page that does not know their heights: texts that a browser breaks and images without a size, one after the other.
export function FlowFeed({ rows }) {
  return (
    <div style={{ width: 390 }}>
      {rows.map(({ row, html }) => <div key={row} data-row={row} dangerouslySetInnerHTML={{ __html: html }} />)}
    </div>
  )
}

/** Returns the texts and images of a row as HTML without places and sizes. */
export function flowHTML(row, { heights, frames, lines }) {
  const texts = lines.of(row)
  const sources = new Map(heights.resources.of(row).map(({ node, url }) => [node, url]))
  return frames.of(row).map(({ node, type, width }) => {
    if (sources.has(node)) return `<img alt="" src="${sources.get(node)}" style="display:block;width:${width}px">`
    if (type !== 'text') return ''
    const { text, runs } = texts.shift()
    return `<p class="${runs[0]?.font}" style="margin:4px 0">${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`
  }).join('')
}
