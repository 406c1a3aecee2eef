// Making and changing the tree of a list of heights.

import { Branch, Leaf } from './nodes.js'
import { concatenated, lastAtMost, sum } from './numbers.js'

/** @typedef {import('./nodes.js').Node} Node */

/** The most rows of a leaf and the most children of a branch. */
export const NODE_CAPACITY = 64
/** The size of the nodes that a splice makes, so that the next rows find room in them. */
export const NODE_FILL = 48
/** The size below which a node is joined with its neighbour if both fit into one. */
const SMALL_NODE = 16
/** The row of the tables that a row has which was inserted later. It is no row of theirs. */
const NO_TABLE_ROW = -1

/**
 * Calls `body` with the bounds of equal parts of a sequence, each of which fits into a node.
 *
 * @param {number} length
 * @param {number} fill The size of the parts if there is more than one.
 * @param {(start: number, end: number) => void} body
 */
function forEachPart(length, fill, body) {
  if (length === 0) return
  const parts = length <= NODE_CAPACITY ? 1 : Math.ceil(length / fill)
  for (let part = 0; part < parts; part += 1) {
    body(Math.floor((part * length) / parts), Math.floor(((part + 1) * length) / parts))
  }
}

/**
 * @param {Float64Array} heights
 * @param {Int32Array} tableRows
 * @param {number} fill
 */
export function leaves(heights, tableRows, fill) {
  /** @type {Leaf[]} */
  const result = []
  forEachPart(heights.length, fill, (start, end) => {
    result.push(new Leaf(heights.subarray(start, end), tableRows.subarray(start, end)))
  })
  return result
}

/**
 * @param {Node[]} children
 * @param {number} fill
 */
function branches(children, fill) {
  /** @type {Branch[]} */
  const result = []
  forEachPart(children.length, fill, (start, end) => {
    result.push(new Branch(children.slice(start, end)))
  })
  return result
}

/**
 * Returns the tree of nodes of one level.
 *
 * @param {Node[]} nodes
 * @param {number} fill
 * @returns {Node}
 */
export function tree(nodes, fill) {
  while (nodes.length > 1) nodes = branches(nodes, fill)
  let root = nodes[0] ?? new Leaf(new Float64Array(0), new Int32Array(0))
  while (root instanceof Branch && root.size === 1) root = root.children[0]
  return root
}

const noHeights = new Float64Array(0)

/**
 * Returns the nodes that replace a node when some of its rows are replaced. They are of the same level.
 *
 * @param {Node} node
 * @param {number} row
 * @param {number} removed
 * @param {Float64Array} heights
 * @returns {Node[]}
 */
export function spliced(node, row, removed, heights) {
  const end = row + removed
  if (node instanceof Leaf) {
    const inserted = new Int32Array(heights.length).fill(NO_TABLE_ROW)
    return leaves(
      concatenated(Float64Array, node.heights.subarray(0, row), heights, node.heights.subarray(end)),
      concatenated(Int32Array, node.tableRows.subarray(0, row), inserted, node.tableRows.subarray(end)), NODE_FILL)
  }
  const { children, firstRows } = node
  let first = 0
  while (firstRows[first + 1] < row) first += 1
  let last = first
  while (firstRows[last + 1] < end) last += 1
  const rowsOfFirst = Math.min(end, firstRows[first + 1]) - row
  let replacement = spliced(children[first], row - firstRows[first], rowsOfFirst, heights)
  if (last > first) {
    replacement = replacement.concat(spliced(children[last], 0, end - firstRows[last], noHeights))
  } else if (replacement.length === 1 && replacement[0].size >= SMALL_NODE) {
    children[first] = replacement[0]
    node.addRows(first)
    node.addHeights(first)
    return [node]
  }
  // The neighbours are joined with what is new if both fit into a node, so that removals leave no trail of small nodes.
  const before = Math.max(first - 1, 0)
  const joinedNodes = joinSmall(children.slice(before, first).concat(replacement, children.slice(last + 1, last + 2)))
  return branches(children.slice(0, before).concat(joinedNodes, children.slice(last + 2)), NODE_FILL)
}

/** @param {Node[]} nodes */
function joinSmall(nodes) {
  /** @type {Node[]} */
  const result = []
  for (const node of nodes) {
    const joint = joined(result[result.length - 1], node)
    if (joint !== null) result[result.length - 1] = joint
    else result.push(node)
  }
  return result
}

/**
 * Returns one node with the content of two of one level, or null if it does not fit into one.
 *
 * @param {Node | undefined} node
 * @param {Node} next
 */
function joined(node, next) {
  if (node === undefined || node.size + next.size > NODE_CAPACITY) return null
  if (node instanceof Leaf && next instanceof Leaf) {
    return new Leaf(
      concatenated(Float64Array, node.heights, next.heights),
      concatenated(Int32Array, node.tableRows, next.tableRows))
  }
  // All nodes of one level are of one class.
  return node instanceof Branch && next instanceof Branch ? new Branch(node.children.concat(next.children)) : null
}

/**
 * Changes the height of a row.
 *
 * @param {Node} node
 * @param {number} row
 * @param {number} height
 */
export function setHeight(node, row, height) {
  if (node instanceof Branch) {
    const child = lastAtMost(node.firstRows, node.size, row)
    setHeight(node.children[child], row - node.firstRows[child], height)
    node.addHeights(child)
  } else {
    node.heights[row] = height
    node.height = sum(node.heights)
  }
}
