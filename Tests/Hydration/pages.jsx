// Prints what a server sends of each page, as JSON: `node pages.js TABLES OFFSET`.
import { Heights, cellHTML, renderViewport, skeletonSVG } from 'galley-js'
import { renderToString } from 'react-dom/server'
import { FlowFeed, flowHTML } from './flow.jsx'
import { feedHTML, readTables } from './server.jsx'

const [directory, offset] = process.argv.slice(2)
const tables = readTables(directory)
const { length, size } = tables.heights
const estimated = { heights: Heights.from(Array(length).fill(Math.round(size / length))) }
const { rows } = renderViewport({ offset: 0, viewport: 1000 }, tables, flowHTML)
console.log(JSON.stringify({
  cells: feedHTML(tables, 0),
  'cells at an offset': feedHTML(tables, Number(offset)),
  skeletons: feedHTML(tables, 0, skeletonSVG),
  'without heights, rows of the mean height': feedHTML(estimated, 0, () => '<div style="height:90%;background:#eee"></div>'),
  'without heights, rows in the flow': `<div id="feed">${renderToString(<FlowFeed rows={rows} />)}</div>`,
}))
