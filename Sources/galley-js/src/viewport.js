// What a viewport shows of a list, as strings.

import { requireFinite, requireHeight, requireTables, shown } from './checks.js'

/** @typedef {import('./heights.js').Heights} Heights */

/**
 * A row that a viewport shows. Lengths are in points.
 *
 * @typedef {object} RenderedRow
 * @property {number} row
 * @property {number} offset The offset of its top in the list; with the axis `rightToLeft` its distance from the right side.
 * @property {number} height
 * @property {string} html What is in its element.
 */

/**
 * Returns the rows that a viewport shows with their HTML, and the height of the list. Rows of height 0 are not among them. It is
 * for servers, and for the first rows of a page that a server has begun.
 *
 * @template {{ heights: Heights }} Data
 * @param {{ offset: number, viewport: number }} query The top of the viewport in the list and its height, in points. An offset
 * beyond the last one that a list can be scrolled to is that one.
 * @param {Data} data The tables, and what else `content` uses. The images of the rows load at once.
 * @param {(row: number, data: Data) => string} content Returns what is in the element of a row: `cellHTML` or `skeletonSVG`.
 * @returns {{ offset: number, size: number, rows: RenderedRow[] }} The offset, the height of the list, and the rows.
 */
export function renderViewport({ offset, viewport }, data, content) {
  requireFinite(offset, 'the offset of the viewport')
  requireHeight(viewport, 'the height of the viewport')
  const { heights } = data
  requireTables({ heights })
  if (typeof content !== 'function') throw new TypeError(`Pass cellHTML or another function for content, not ${shown(content)}`)
  const shownOffset = Math.max(0, Math.min(offset, heights.size - viewport))
  const [first, end] = heights.prefetch({ offset: shownOffset, viewport, mode: 'visibleOnly' }).visible
  /** @type {RenderedRow[]} */
  const rows = []
  for (let row = first; row < end; row += 1) {
    const offset = heights.offsetOf(row)
    const height = heights.heightOf(row)
    // The row at the offset of one without a height is the next with one, or one before it if sums are rounded.
    if (height === 0) row = Math.max(row, heights.rowAt(offset) - 1)
    else rows.push({ row, offset, height, html: content(row, { range: 'visible', ...data }) })
  }
  return { offset: shownOffset, size: heights.size, rows }
}
