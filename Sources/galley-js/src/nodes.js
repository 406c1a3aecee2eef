// The nodes of a list of heights: a B-tree of rows in which every branch knows the numbers of rows and the heights of its
// children.

import { sum } from './numbers.js'

export class Leaf {
  /**
   * @param {Float64Array} heights
   * @param {Int32Array} tableRows The rows of the tables that these rows were at first.
   */
  constructor(heights, tableRows) {
    this.heights = heights
    this.tableRows = tableRows
    this.rows = heights.length
    this.height = sum(heights)
  }

  get size() {
    return this.heights.length
  }
}

export class Branch {
  /** @param {Node[]} children */
  constructor(children) {
    this.children = children
    /** The number of rows before each child, and after the last. */
    this.firstRows = new Float64Array(children.length + 1)
    /** The height before each child, and after the last. */
    this.tops = new Float64Array(children.length + 1)
    this.rows = 0
    this.height = 0
    this.addRows(0)
    this.addHeights(0)
  }

  get size() {
    return this.children.length
  }

  /**
   * Adds up the rows of the children from one on.
   *
   * @param {number} first
   */
  addRows(first) {
    const { children, firstRows } = this
    let row = firstRows[first]
    for (let index = first; index < children.length; index += 1) {
      row += children[index].rows
      firstRows[index + 1] = row
    }
    this.rows = row
  }

  /**
   * Adds up the heights of the children from one on. Sums are made anew instead of being corrected by differences, so
   * that rounding errors of heights that are no multiples of a power of two do not accumulate.
   *
   * @param {number} first
   */
  addHeights(first) {
    const { children, tops } = this
    let top = tops[first]
    for (let index = first; index < children.length; index += 1) {
      top += children[index].height
      tops[index + 1] = top
    }
    this.height = top
  }
}

/** @typedef {Leaf | Branch} Node */
