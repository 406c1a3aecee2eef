// Compares the rows of `galley skeleton --format html` with `skeletonSVG`: `node skeletons.mjs DIRECTORY FILE.html`.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { Frames, Heights, Lines, skeletonSVG } from '../../Sources/galley-js/galley.js'

const [directory, path] = process.argv.slice(2)
const table = (/** @type {string} */ name) => readFileSync(`${directory}/${name}.arrow`)
const heights = Heights.fromArrow(table('heights'))
const lines = existsSync(`${directory}/lines.arrow`) ? Lines.fromArrow(table('lines'), table('texts')) : undefined
const data = { heights, frames: Frames.fromArrow(table('frames')), ...(lines === undefined ? {} : { lines }) }
const html = readFileSync(path, 'utf8')
assert.ok(html.startsWith(`<div style="position:relative;width:${heights.width}px;height:${heights.size}px">\n`), html.slice(0, 200))
let rows = 0
for (const [, row, top, height, image] of html.matchAll(/^<div data-row="(\d+)" style="position:absolute;top:(.*)px;width:100%;height:(.*)px">(.*)<\/div>$/gm)) {
  assert.equal(image, skeletonSVG(Number(row), data))
  assert.deepEqual([top, height], [heights.offsetOf(Number(row)), heights.heightOf(Number(row))].map(String))
  rows += 1
}
assert.ok(rows > 0)
console.log(`${rows} skeletons of galley skeleton are those of skeletonSVG${lines === undefined ? '' : ', with lines'}`)
