// Pictures of cells before their contents are there.

import { isHorizontal } from './axis.js'
import { tableRowOf } from './cellmarkup.js'
import { requireTables } from './checks.js'
import { htmlOf } from './html.js'
import { markup } from './markup.js'

/** @typedef {import('./frames.js').Frame} Frame */
/** @typedef {import('./frames.js').Frames} Frames */
/** @typedef {import('./heights.js').Heights} Heights */
/** @typedef {import('./lines.js').Line} Line */
/** @typedef {import('./lines.js').Lines} Lines */

/**
 * The tables that a skeleton is made from.
 *
 * @typedef {object} SkeletonData
 * @property {Heights} heights
 * @property {Frames} frames
 * @property {Lines} [lines] The lines of texts. Without them, the lines of a text are as wide as it is, but for the last one.
 */

/**
 * A rectangle in points: left, top, width and height.
 *
 * @typedef {[number, number, number, number]} Rect
 */

/** The height of the bar of a line as a share of the line's, and the width of a last line that is not known. */
const BAR_HEIGHT = 0.6
const LAST_WIDTH = 0.6
/** The radius of corners in points. */
const RADIUS = 4

/**
 * Returns an SVG image of a row's cell in its size, with a bar for each line of its texts and a rectangle for each other frame
 * that has no others inside. It has the colour of the text around it, or black, with an opacity of 12 %.
 *
 * @param {number} row The row of the list.
 * @param {SkeletonData} data
 */
export function skeletonSVG(row, { heights, frames, lines }) {
  requireTables({ heights, frames, ...(lines !== undefined && { lines }) })
  const tableRow = tableRowOf(row, heights)
  const all = frames.of(tableRow)
  const texts = lines?.of(tableRow) ?? null
  const parents = new Set(all.map(({ parent }) => parent))
  const rects = all.flatMap((frame, index) => {
    if (frame.type === 'text') return texts === null ? barsOf(frame) : barsOfLines(frame, texts.shift()?.lines ?? [])
    return parents.has(index) ? [] : [rectOf(frame)]
  })
  const length = heights.heightOf(row)
  const [width, height] = isHorizontal(heights.axis)
    ? [length, heights.crossSize ?? end(rects, 1)] : [heights.width ?? end(rects, 0), length]
  return htmlOf(markup('svg', {
    xmlns: 'http://www.w3.org/2000/svg', width: String(width), height: String(height), fill: 'currentColor', 'fill-opacity': '0.12',
    'aria-hidden': 'true',
  }, 'display:block', rects.map(rectMarkup)))
}

/**
 * @param {Frame} frame
 * @returns {Rect}
 */
function rectOf({ x, y, width, height }) {
  return [x, y, width, height]
}

/**
 * Returns the bars of the lines of a text whose lines are not known.
 *
 * @param {Frame} frame
 * @returns {Rect[]}
 */
function barsOf({ x, y, width, height, lines }) {
  const lineHeight = height / lines
  return Array.from({ length: lines }, (_, line) =>
    barOf(x, y + line * lineHeight, line > 0 && line === lines - 1 ? width * LAST_WIDTH : width, lineHeight))
}

/**
 * @param {Frame} frame
 * @param {Line[]} lines
 */
function barsOfLines(frame, lines) {
  return lines.filter(({ width }) => width > 0).map(({ x, y, width, height }) => barOf(frame.x + x, frame.y + y, width, height))
}

/**
 * Returns the bar in the middle of a line.
 *
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @returns {Rect}
 */
function barOf(x, y, width, height) {
  return [x, y + height * (1 - BAR_HEIGHT) / 2, width, height * BAR_HEIGHT]
}

/** @param {Rect} rect */
function rectMarkup([x, y, width, height]) {
  const [left, top, right, bottom] = [x, y, x + width, y + height].map(rounded)
  return markup('rect', {
    x: String(left), y: String(top), width: String(rounded(right - left)), height: String(rounded(bottom - top)), rx: String(RADIUS),
  }, '')
}

/**
 * Returns where the last rectangle ends, from the left (0) or from the top (1).
 *
 * @param {Rect[]} rects
 * @param {0 | 1} side
 */
function end(rects, side) {
  return rects.reduce((last, rect) => Math.max(last, rect[side] + rect[side + 2]), 0)
}

/**
 * Returns a number of points with at most one decimal, which is enough for a picture and has fewer bytes.
 *
 * @param {number} points
 */
function rounded(points) {
  return Math.round(points * 10) / 10
}
