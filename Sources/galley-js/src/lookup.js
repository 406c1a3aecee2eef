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
 * Returns the offset of a row's top: the sum of the heights above. The sum within a node can be rounded to more than the top of the
 * next node. It is limited to this top, so that offsets never descend and `countTops` finds them.
 *
 * @param {Node} node
 * @param {number} row
 */
export function offsetOf(node, row) {
  let limit = node.height
  if (row === node.rows) return limit
  let top = 0
  while (node instanceof Branch) {
    const child = lastAtMost(node.firstRows, node.size, row)
    if (child + 1 < node.size) limit = Math.min(limit, top + node.tops[child + 1])
    row -= node.firstRows[child]
    top += node.tops[child]
    node = node.children[child]
  }
  for (let index = 0; index < row; index += 1) top += node.heights[index]
  return Math.min(top, limit)
}

/**
 * Returns the row at an offset: the last row with a height whose top is at the offset or above it.
 *
 * @param {Node} root
 * @param {number} offset
 */
export function rowAt(root, offset) {
  requireFinite(offset, 'an offset')
  offset = Math.max(offset, 0)
  if (offset >= root.height) return root.rows - 1
  // The sum within a leaf can be rounded to less than the top of the next leaf. The last rows before this gap can have no height.
  return nearestWithHeight(root, countTops(root, offset) - 1, false)
}

/**
 * Returns the nearest row with a height, which is the given one or a row after it or before it; -1 if there is none.
 *
 * @param {Node} node
 * @param {number} row
 * @param {boolean} isForward Whether to search the rows after the given one.
 * @returns {number}
 */
export function nearestWithHeight(node, row, isForward) {
  if (node.height === 0) return -1
  const step = isForward ? 1 : -1
  if (node instanceof Leaf) {
    while (node.heights[row] === 0) row += step
    return row < node.rows ? row : -1
  }
  let child = lastAtMost(node.firstRows, node.size, row)
  row -= node.firstRows[child]
  while (child >= 0 && child < node.size) {
    const nearest = nearestWithHeight(node.children[child], row, isForward)
    if (nearest >= 0) return node.firstRows[child] + nearest
    child += step
    row = isForward ? 0 : (node.children[child]?.rows ?? 0) - 1
  }
  return -1
}

/**
 * Returns the number of rows with tops at an offset or before. The offset is above the end of the content.
 *
 * @param {Node} node
 * @param {number} offset
 */
export function countTops(node, offset) {
  let top = 0
  let row = 0
  while (node instanceof Branch) {
    // The comparison is made with the sums that `offsetOf` returns, so that both agree if sums are rounded. The limits of
    // `offsetOf` have no effect here, because the top of the node after this one is greater than the offset.
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
