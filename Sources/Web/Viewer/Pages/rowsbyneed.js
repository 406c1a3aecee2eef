// Which rows the list draws, in the order in which it needs them.

import { elementCount } from './cellview.js'

/** The numbers of viewports that are drawn ahead of the viewport in the direction of travel, and behind it. */
const AHEAD = 1
const BEHIND = 0.5
/** The number of elements of all cells above which no rows are drawn ahead of the viewport and behind it. */
const MAX_ELEMENTS = 1500

/**
 * Returns the rows to draw: all of the viewport, then those ahead and behind, as long as there are not too many elements.
 * Rows without height are left out but for one at the end of the list, as no other row could have their label.
 *
 * @param {import('./listview.js').Model} model
 * @param {{ offset: number, viewport: number, direction: 'down' | 'up' }} place
 */
export function rowsByNeed(model, { offset, viewport, direction }) {
  const { heights, isComplete } = model.rowHeights
  /** @type {number[]} */
  const rows = []
  if (heights.length === 0) return rows
  const last = heights.length - 1
  let budget = MAX_ELEMENTS
  /** @param {number} row @param {boolean} isVisible */
  const add = (row, isVisible) => {
    budget -= 1
    for (const { name } of model.variants) budget -= elementCount(model.store.cell(name, row))
    if (!isVisible && budget <= 0) return false
    rows.push(row)
    return true
  }
  const first = heights.rowAt(offset)
  let next = first
  let end = offset
  /** @param {number} until */
  const addBelow = (until) => {
    while (next < heights.length && end < until && add(next, end < offset + viewport)) {
      end = heights.offsetOf(next) + heights.heightOf(next)
      const below = rowBelow(heights, next)
      next = below === heights.length && isComplete && next < last ? last : below
    }
  }
  let top = heights.offsetOf(first)
  /** @param {number} until */
  const addAbove = (until) => {
    while (top > 0 && top > until) {
      const row = rowAbove(heights, top)
      if (!add(row, false)) break
      top = heights.offsetOf(row)
    }
  }
  const isDown = direction === 'down'
  addBelow(offset + viewport)
  if (isDown) addBelow(offset + (1 + AHEAD) * viewport)
  addAbove(offset - (isDown ? BEHIND : AHEAD) * viewport)
  if (!isDown) addBelow(offset + (1 + BEHIND) * viewport)
  return rows
}

/**
 * Returns the next row with a height, or the number of rows if there is none. The row at the end of a row can be that row itself
 * where sums are rounded.
 *
 * @param {import('./galley.js').Heights} heights
 * @param {number} row
 */
export function rowBelow(heights, row) {
  let below = row + 1
  // Many rows can have no height.
  while (below < heights.length && heights.heightOf(below) === 0) {
    below = Math.max(heights.rowAt(heights.offsetOf(below)), below + 1)
  }
  return below
}

/**
 * Returns the row with a height that ends at an offset.
 *
 * @param {import('./galley.js').Heights} heights
 * @param {number} offset An offset that is greater than 0.
 */
export function rowAbove(heights, offset) {
  return heights.rowAt(offset * (1 - Number.EPSILON / 2))
}

/**
 * Returns the next row with a height, or the one before; the row itself if there is none.
 *
 * @param {import('./galley.js').Heights} heights
 * @param {number} row
 * @param {'next' | 'previous'} side
 */
export function neighbour(heights, row, side) {
  if (side === 'next') {
    const below = rowBelow(heights, row)
    return below < heights.length ? below : row
  }
  const top = heights.offsetOf(row)
  return top > 0 ? rowAbove(heights, top) : row
}
