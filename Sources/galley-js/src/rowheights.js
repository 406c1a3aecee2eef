// The heights of the rows of a list, their sums and their changes.

import { screenPosition } from './axis.js'
import { heightsIn, requireFinite, requireHeight, requireHeights, requireNumber, requireRow } from './checks.js'
import { heightOf, leavesOf, offsetOf, rowAt, tableRowOf } from './lookup.js'
import { NODE_CAPACITY, NODE_FILL, leaves, setHeight, spliced, tree } from './tree.js'

/** @typedef {import('./axis.js').Axis} Axis */
/** @typedef {import('./nodes.js').Node} Node */
/** @typedef {import('./widths.js').Widths} Widths */

/**
 * The heights of the rows of a list, or their widths if it scrolls horizontally.
 *
 * Heights are finite and not negative, and are kept as 32-bit numbers, as tables have them. Sums of them are exact while 53
 * bits hold them, so that `offsetOf` equals the column `y` of heights.arrow, also of heights that JSON states with fewer digits.
 *
 * A row number that is no row of the list is a `RangeError`, and any other value a `TypeError`.
 */
export class RowHeights {
  /**
   * The B-tree of the rows.
   *
   * @protected
   * @type {Node}
   */
  tree
  /** @type {Widths | null} */
  #widths
  /** @type {Axis} */
  #axis
  /** @type {number | null} */
  #crossSize
  /** @type {number | null} */
  #frameSum
  /** @type {string | null} */
  #framesChecksum
  /**
   * The rows of the table whose heights were changed. A row that was only hidden since has its height in the table, any other NaN.
   *
   * @type {Map<number, number>}
   */
  #changed = new Map()

  /**
   * @param {Float64Array} heights The heights, which are checked and belong to the list from now on.
   * @param {Int32Array} tableRows
   * @param {{ widths?: Widths | null, crossSize?: number | null, frameSum?: number | null, framesChecksum?: string | null, axis: Axis }} options
   * How far the heights hold in other widths, the height of a list that scrolls horizontally, the checksums of its frames, and
   * the axis.
   */
  constructor(heights, tableRows, { widths = null, crossSize = null, frameSum = null, framesChecksum = null, axis }) {
    this.tree = tree(leaves(heights, tableRows, NODE_CAPACITY), NODE_CAPACITY)
    this.#axis = axis
    this.#crossSize = crossSize
    this.#frameSum = frameSum
    this.#framesChecksum = framesChecksum
    this.#widths = widths
  }

  /** The width of the list for which the heights were laid out, in points; null if it is not known. */
  get width() {
    return this.#widths?.width ?? null
  }

  /** How the rows follow each other in the direction in which the list scrolls. */
  get axis() {
    return this.#axis
  }

  /** The height of a list that scrolls horizontally, which is that of its highest row; null if it is not known. */
  get crossSize() {
    return this.#crossSize
  }

  /** A checksum of the rows of the frames, which is that of the frames of the same run; null if it is not known. */
  get frameSum() {
    return this.#frameSum
  }

  /** The checksum of the frames of the run; null if it is not known. */
  get framesChecksum() {
    return this.#framesChecksum
  }

  /** The number of rows. */
  get length() {
    return this.tree.rows
  }

  /** The height of the content: the sum of all heights, in points. */
  get size() {
    return this.tree.height
  }

  /**
   * Returns the height of a row; with the width of a list in points, whether it is certain too: then the row has this height
   * in that width. A height that is not certain is that of `width`.
   *
   * @template {number | undefined} [Width=undefined]
   * @param {number} row
   * @param {Width} [width]
   * @returns {Width extends number ? { height: number, certain: boolean } : number}
   */
  heightOf(row, width) {
    requireRow(row, this.length - 1)
    /** @type {any} */
    const height = heightOf(this.tree, row)
    if (width === undefined) return height
    requireFinite(width, 'the width of the list')
    const tableRow = this.tableRowOf(row)
    /** @type {any} */
    const known = { height, certain: tableRow >= 0 && (this.#widths?.holds(tableRow, width) ?? false) }
    return known
  }

  /**
   * Returns the row of the tables that a row of the list is, which has its frames and lines; -1 if the row was inserted or
   * updated after the tables were read.
   *
   * @param {number} row
   */
  tableRowOf(row) {
    requireRow(row, this.length - 1)
    const tableRow = tableRowOf(this.tree, row)
    return this.#changed.has(tableRow) ? -1 : tableRow
  }

  /**
   * Returns the offset of a row's top: the sum of the heights above. That of the row `length` is `size`.
   *
   * @param {number} row
   * @returns {number}
   */
  offsetOf(row) {
    requireRow(row, this.length)
    return offsetOf(this.tree, row)
  }

  /**
   * Returns the row at an offset. The offset is at the top of the row or below it, and above its end. Rows without a height are
   * never returned.
   * An offset above the content gives what offset 0 gives, one at its end or below the last row, and an empty list -1.
   *
   * @param {number} offset
   * @returns {number}
   */
  rowAt(offset) {
    return rowAt(this.tree, offset)
  }

  /**
   * Changes the height of a row. A row that was hidden, and has the height of the tables again, is the row of the tables again.
   *
   * @param {number} row
   * @param {number} height The height. It is rounded to the nearest 32-bit number.
   */
  update(row, height) {
    requireRow(row, this.length - 1)
    requireNumber(height, 'the height')
    height = Math.fround(height)
    requireHeight(height, 'the height')
    const tableRow = tableRowOf(this.tree, row)
    const before = heightOf(this.tree, row)
    setHeight(this.tree, row, height)
    if (before === 0 && this.#changed.get(tableRow) === height) this.#changed.delete(tableRow)
    else if (height !== 0) this.#changed.set(tableRow, NaN)
    else if (!this.#changed.has(tableRow)) this.#changed.set(tableRow, before)
  }

  /**
   * Removes rows and inserts others at their place.
   *
   * @param {number} row The first row that is removed, and the row that the first inserted one becomes.
   * @param {number} removed The number of rows to remove.
   * @param {Iterable<number> | ArrayLike<number>} [heights] The heights of the rows to insert, which are kept as 32-bit numbers.
   */
  splice(row, removed, heights = []) {
    requireRow(row, this.length)
    requireNumber(removed, 'the number of rows to remove')
    if (!Number.isInteger(removed) || removed < 0 || row + removed > this.length) {
      throw new RangeError(
        `${removed} rows cannot be removed at row ${row} of a list of ${this.length}: `
          + `pass a whole number from 0 to ${this.length - row}`)
    }
    const inserted = heightsIn(heights, 'the heights to insert')
    requireHeights(inserted, 'the heights to insert')
    this.tree = tree(spliced(this.tree, row, removed, inserted), NODE_FILL)
  }

  /** @returns {IterableIterator<number>} */
  *[Symbol.iterator]() {
    for (const leaf of leavesOf(this.tree)) yield* leaf.heights
  }

  /**
   * Returns where a row lies on the screen: the points from the viewport's top to that of the row, or from its left edge to
   * that of the row.
   *
   * @param {number} row
   * @param {{ offset: number, viewport: number }} position The offset and the length of the viewport.
   * @returns {number}
   */
  screenPositionOf(row, { offset, viewport }) {
    const start = this.offsetOf(row)
    requireFinite(offset, 'the offset of the viewport')
    requireFinite(viewport, 'the length of the viewport')
    return screenPosition(
      this.#axis, { start, end: start + this.heightOf(row), contentLength: this.size }, offset, viewport)
  }
}
