// What list components take instead of measuring.

import { requireFinite } from './checks.js'

/**
 * An item of TanStack Virtual.
 *
 * @typedef {object} VirtualItem
 * @property {number | string | bigint} key
 * @property {number} index
 * @property {number} start
 * @property {number} end
 * @property {number} size
 * @property {number} lane
 */

/**
 * The options of TanStack Virtual's virtualizer on which the positions of items depend.
 *
 * @typedef {object} VirtualizerOptions
 * @property {(index: number) => number | string | bigint} [getItemKey]
 * @property {number} [paddingStart]
 * @property {number} [scrollMargin]
 * @property {number} [gap]
 */

/**
 * Returns rows as items of TanStack Virtual that were measured.
 *
 * @param {Iterable<number>} heights
 * @param {VirtualizerOptions} options
 * @returns {VirtualItem[]}
 */
export function measuredItems(heights, options) {
  const { getItemKey = (index) => index, paddingStart = 0, scrollMargin = 0, gap = 0 } = options
  for (const [name, length] of Object.entries({ paddingStart, scrollMargin, gap })) requireFinite(length, name)
  /** @type {VirtualItem[]} */
  const items = []
  let start = paddingStart + scrollMargin
  for (const size of heights) {
    const index = items.length
    items.push({ key: getItemKey(index), index, start, end: start + size, size, lane: 0 })
    start += size + gap
  }
  return items
}

/**
 * Returns a length of an element as the browser has it.
 *
 * @param {HTMLElement} element
 * @param {'offsetHeight' | 'offsetWidth'} field
 */
export function measuredSize(element, field) {
  const { width, height } = element.getBoundingClientRect()
  return field === 'offsetWidth' ? width : height
}
