// Finding rows and offsets in the tree of a list of heights.

import { requireFinite } from './checks.js'
import { Branch, Leaf } from './nodes.js'
import { lastAtMost } from './numbers.js'

/** @typedef {import('./nodes.js').Node} Node */

/**
 * Returns the height of a row.
 *
 * @param {Node} node
 * @param {number} row
 */
export function heightOf(node, row) {
  while (node instanceof Branch) {
    const child = lastAtMost(node.firstRows, node.size, row)
    row -= node.firstRows[child]
    node = node.children[child]
  }
  return node.heights[row]
}

/**
 * Returns the row of the tables that a row was at first.
 *
 * @param {Node} node
 * @param {number} row
 */
export function tableRowOf(node, row) {
  while (node instanceof Branch) {
    const child = lastAtMost(node.firstRows, node.size, row)
    row -= node.firstRows[child]
    node = node.children[child]
  }
  return node.tableRows[row]
}

/**
 * Returns the offset of a row's top: the sum of the heights above.
 *
 * @param {Node} node
 * @param {number} row
 */
export function offsetOf(node, row) {
  if (row === node.rows) return node.height
  let top = 0
  while (node instanceof Branch) {
    const child = lastAtMost(node.firstRows, node.size, row)
    row -= node.firstRows[child]
    top += node.tops[child]
    node = node.children[child]
  }
  for (let index = 0; index < row; index += 1) top += node.heights[index]
  return top
}

/**
 * Returns the row at an offset.
 *
 * @param {Node} root
 * @param {number} offset
 */
export function rowAt(root, offset) {
  requireFinite(offset, 'an offset')
  if (offset >= root.height) return root.rows - 1
  return countTops(root, Math.max(offset, 0)) - 1
}

/**
 * Returns the number of rows with tops at an offset or before.
 *
 * @param {Node} node
 * @param {number} offset
 */
export function countTops(node, offset) {
  let top = 0
  let row = 0
  while (node instanceof Branch) {
    // The comparison is made with the sums that `offsetOf` returns, so that both agree if sums are rounded.
    const { tops } = node
    let low = 0
    let high = node.size
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (top + tops[middle] <= offset) low = middle
      else high = middle
    }
    top += tops[low]
    row += node.firstRows[low]
    node = node.children[low]
  }
  const { heights } = node
  let index = 0
  while (index < heights.length && top <= offset) {
    top += heights[index]
    index += 1
  }
  return row + index
}

/**
 * Yields the leaves in the order of their rows.
 *
 * @param {Node} node
 * @returns {IterableIterator<Leaf>}
 */
export function* leavesOf(node) {
  if (node instanceof Leaf) yield node
  else for (const child of node.children) yield* leavesOf(child)
}
