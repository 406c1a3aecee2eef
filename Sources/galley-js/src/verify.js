// Comparing the cells of a page with the tables, for development.

import { isHorizontal } from './axis.js'
import { requireTables } from './checks.js'
import { TOLERANCE, differencesOf, nodesOf } from './verifynodes.js'
import { scaleOf } from './verifyscale.js'
import { rounded } from './verifytexts.js'

/** @typedef {import('./frames.js').Frames} Frames */
/** @typedef {import('./heights.js').Heights} Heights */
/** @typedef {import('./lines.js').Lines} Lines */
/** @typedef {import('./verifynodes.js').VerifiedNode} VerifiedNode */
/** @typedef {import('./verifyscale.js').Scale} Scale */

/**
 * The tables that a cell is compared with.
 *
 * @typedef {object} VerifiedTables
 * @property {Heights} heights
 * @property {Frames} frames
 * @property {Lines} [lines] The lines, whose widths are compared too where a page draws them one by one.
 * @property {string} [id] The name of the row in messages, which is its number if this is left out.
 */

/** The most rows of a list that are reported: one wrong style affects all rows, and the first ones show it. */
const MOST_REPORTS = 20

/** The most nodes that a message names. */
const MOST_NODES = 3

/**
 * The names of the rows of a list that were reported.
 *
 * @type {WeakMap<Heights, Set<string>>}
 */
const reported = new WeakMap()

/**
 * Compares the element of a row with the tables whenever its size or that of a text changes, and reports in the console what
 * differs: once for a row, and at most 20 rows of a list. The element of a node is the one whose `data-node` is the
 * node's name, or whose class it is, alone or behind that of the cell, if no element has `data-node`.
 *
 * @param {HTMLElement} element
 * @param {number} row The row of the list.
 * @param {VerifiedTables} tables
 * @returns {() => void} Ends the comparison.
 */
export function verify(element, row, { heights, frames, lines, id = String(row) }) {
  requireTables({ heights, frames, ...(lines !== undefined && { lines }) })
  const tableRow = heights.tableRowOf(row)
  // The tables state nothing about a row that was inserted or updated.
  if (tableRow < 0) return () => {}
  const length = heights.heightOf(row)
  const side = isHorizontal(heights.axis) ? 'width' : 'height'
  const cellFrames = frames.of(tableRow)
  const texts = lines?.of(tableRow) ?? []
  const names = reported.get(heights) ?? new Set()
  reported.set(heights, names)
  let isEnded = false
  const compare = () => {
    // An element without boxes is not shown.
    if (isEnded || names.has(id) || names.size >= MOST_REPORTS || element.getClientRects().length === 0) return
    const scale = scaleOf(element)
    // Nor is one that a transform makes infinitely small.
    if (scale.width === 0 || scale.height === 0) return
    const nodes = nodesOf(element, cellFrames, texts)
    const shown = lengthOf(element, nodes, length, side, scale)
    const isRight = Math.abs(shown - length) < TOLERANCE + scale.rounding
    const differences = nodes.flatMap((node) => differencesOf(node, isRight, scale))
    // The contents of a row can come later.
    const areTextsMissing = cellFrames.some(({ lines }) => lines > 0) && element.textContent !== ''
      && !nodes.some(({ frame }) => frame.type === 'text')
    if (isRight && differences.length === 0 && !areTextsMissing) return
    names.add(id)
    const what = side === 'width' ? 'wide' : 'high'
    const summary = isRight
      ? `is as ${what} as in the table` : `is ${rounded(shown)} px ${what}, the table says ${rounded(length)}`
    const end = names.size === MOST_REPORTS ? '. Further rows are not reported' : ''
    console.warn(`row ${id} ${summary}${detail(isRight, areTextsMissing || nodes.length === 0, differences)}${widthNote(element, heights, scale)}${end}`)
  }
  const observer = new ResizeObserver(() => {
    // Texts have other lines until their fonts are there.
    if (document.fonts.status === 'loading') document.fonts.ready.then(compare)
    else compare()
  })
  observer.observe(element)
  for (const { found, frame } of nodesOf(element, cellFrames, texts)) if (frame.type === 'text') observer.observe(found)
  return () => {
    isEnded = true
    observer.disconnect()
  }
}

/**
 * Returns the length of an element in the direction of the list, with what is beyond its end if it has the length of its
 * row: its content may need more. Nodes that the layout has beyond the end do not count.
 *
 * @param {HTMLElement} element
 * @param {VerifiedNode[]} nodes
 * @param {number} length The length of the row in the table.
 * @param {'width' | 'height'} side
 * @param {Scale} scale
 */
function lengthOf(element, nodes, length, side, scale) {
  const own = element.getBoundingClientRect()
  const ownLength = own[side] / scale[side]
  if (ownLength < length - TOLERANCE) return ownLength
  return nodes.reduce((longest, { found, frame }) => {
    const box = found.getBoundingClientRect()
    const [end, stated] = side === 'width'
      ? [box.right - own.left, frame.x + frame.width] : [box.bottom - own.top, frame.y + frame.height]
    const reach = end / scale[side]
    return stated <= length && reach - ownLength > TOLERANCE ? Math.max(longest, reach) : longest
  }, ownLength)
}

/**
 * @param {boolean} isRight
 * @param {boolean} areNamesMissing
 * @param {string[]} differences
 */
function detail(isRight, areNamesMissing, differences) {
  if (differences.length === 0) {
    return areNamesMissing
      ? '. No element has the name of a text: name them with data-node or the classes of galley css to see which ones differ'
      : ', though each named node has its size'
  }
  const others = differences.length - MOST_NODES
  return (isRight ? ', but ' : ': ') + differences.slice(0, MOST_NODES).join(', ') + (others > 0 ? ` and ${others} more` : '')
}

/**
 * Returns a note on the width of an element if the table is that of a list of another width.
 *
 * @param {HTMLElement} element
 * @param {Heights} heights
 * @param {Scale} scale
 */
function widthNote(element, heights, scale) {
  const width = element.getBoundingClientRect().width / scale.width
  if (heights.width === null || isHorizontal(heights.axis) || Math.abs(width - heights.width) < TOLERANCE) return ''
  return `. It is ${rounded(width)} px wide, the table is for ${rounded(heights.width)}`
}
