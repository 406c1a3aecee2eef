// Which rows and resources a list needs.

import { startOfViewport, toleranceOf } from './axis.js'
import { batchFetching } from './batchfetching.js'
import { nearestWithHeight, rowAt, tableRowOf } from './lookup.js'
import { justBelow } from './numbers.js'
import { checkedQuery } from './query.js'

/** @typedef {import('./axis.js').Axis} Axis */
/** @typedef {import('./nodes.js').Node} Node */
/** @typedef {import('./query.js').Query} Query */
/** @typedef {import('./resources.js').Resources} Resources */

/**
 * A half-open range of rows, `[first, end]`. An empty one is `[k, k]`, `k` being the row where it would begin.
 *
 * @typedef {[number, number]} RowRange
 */

/**
 * A resource to load, in the first range that needs it.
 *
 * @typedef {object} NeededResource
 * @property {number} row
 * @property {string} node
 * @property {string} url
 * @property {string} type
 * @property {number} pixel_width
 * @property {number} pixel_height
 * @property {'visible' | 'display' | 'preload'} range
 */

/**
 * The reply to a query, as `galley prefetch` prints it.
 *
 * @typedef {object} Prefetch
 * @property {RowRange} visible
 * @property {RowRange} display
 * @property {RowRange} preload
 * @property {NeededResource[]} [resources] The resources in order of need. It is absent if the list has no `Resources`.
 * @property {boolean} fetch_next_batch Whether to fetch the next rows.
 * @property {number} remaining The points between the end of the viewport and the end of the content.
 * @property {number} [remaining_time] The seconds until both are at the same place, if the query has a velocity towards the
 * end and the distance decides whether to fetch.
 */

/**
 * Returns which rows a list needs now and soon.
 *
 * @param {Node} root
 * @param {Resources | null} resources
 * @param {Query} query
 * @param {Axis} axis
 * @returns {Prefetch}
 */
export function prefetchOf(root, resources, query, axis) {
  const checked = checkedQuery(query, axis)
  const { viewport, isForward, mode, display, preload } = checked
  const start = startOfViewport(axis, root.height, checked.offset, viewport)
  const end = start + viewport
  const tolerance = toleranceOf(checked)
  const visible = rangeOf(root, start + tolerance, end - tolerance)
  /** @param {readonly [number, number]} screens */
  const extended = ([leading, trailing]) => {
    const before = isForward ? trailing : leading
    const after = isForward ? leading : trailing
    return rangeOf(root, start - before * viewport + tolerance, end + after * viewport - tolerance)
  }
  const isEmpty = mode === 'lowMemory'
  const ranges = {
    visible,
    display: isEmpty ? emptied(visible) : extended(display),
    preload: isEmpty ? emptied(visible) : extended(preload),
  }
  return {
    ...ranges,
    ...(resources === null ? {} : { resources: neededResources(root, ranges, isForward, resources) }),
    ...batchFetching(root.height, checked, axis),
  }
}

/**
 * Returns the rows of which the frames overlap a part of the list.
 *
 * @param {Node} root
 * @param {number} top
 * @param {number} bottom
 * @returns {RowRange}
 */
function rangeOf(root, top, bottom) {
  const first = Math.max(top, 0) >= root.height ? root.rows : rowAt(root, top)
  // Rows at offsets above the content's end have a height, so that rows of height 0 end no range.
  const end = bottom > 0 ? rowAt(root, justBelow(Math.min(bottom, root.height))) + 1 : 0
  return [first, bottom > top ? Math.max(first, end) : first]
}

/**
 * @param {RowRange} range
 * @returns {RowRange}
 */
function emptied([first]) {
  return [first, first]
}

/**
 * Returns the resources of the rows of ranges in order of need. A URL comes once, with the size of the largest area.
 *
 * @param {Node} root
 * @param {{ visible: RowRange, display: RowRange, preload: RowRange }} ranges
 * @param {boolean} isForward
 * @param {Resources} resources
 */
function neededResources(root, { visible, display, preload }, isForward, resources) {
  /** @type {Map<string, NeededResource>} */
  const needed = new Map()
  for (const [row, range] of rowsByNeed(root, visible, display, preload, isForward)) {
    for (const resource of resources.of(tableRowOf(root, row))) {
      const earlier = needed.get(resource.url)
      if (earlier === undefined) {
        needed.set(resource.url, { ...resource, row, range })
      } else if (resource.pixel_width * resource.pixel_height > earlier.pixel_width * earlier.pixel_height) {
        earlier.pixel_width = resource.pixel_width
        earlier.pixel_height = resource.pixel_height
      }
    }
  }
  return Array.from(needed.values())
}

/**
 * Yields the rows of a range that have a height. Those between them without one take no time.
 *
 * @param {Node} root
 * @param {number} first
 * @param {number} past The row after the last one.
 * @param {boolean} isForward Whether the first row comes first.
 * @returns {IterableIterator<number>}
 */
function* rowsWithHeight(root, first, past, isForward) {
  for (let row = isForward ? first : past - 1; row >= first && row < past; row += isForward ? 1 : -1) {
    row = nearestWithHeight(root, row, isForward)
    if (row < first || row >= past) return
    yield row
  }
}

/**
 * Yields the rows of the ranges that have a height in order of need: the visible ones in the direction of travel, then the others of each
 * range, those ahead before those behind, the nearest first.
 *
 * @param {Node} root
 * @param {RowRange} visible
 * @param {RowRange} display
 * @param {RowRange} preload
 * @param {boolean} isForward
 * @returns {IterableIterator<[number, 'visible' | 'display' | 'preload']>}
 */
function* rowsByNeed(root, visible, display, preload, isForward) {
  let [first, end] = visible
  for (const row of rowsWithHeight(root, first, end, isForward)) yield [row, 'visible']
  /** @type {['display' | 'preload', RowRange][]} */
  const others = [['display', display], ['preload', preload]]
  for (const [range, [rangeFirst, rangeEnd]] of others) {
    for (const isAfter of [isForward, !isForward]) {
      const [from, to] = isAfter ? [end, rangeEnd] : [rangeFirst, first]
      for (const row of rowsWithHeight(root, from, to, isAfter)) yield [row, range]
      if (isAfter) end = Math.max(end, rangeEnd)
      else first = Math.min(first, rangeFirst)
    }
  }
}
