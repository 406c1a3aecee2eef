// The heights of the rows of a list.

import { numbersIn, requireFinite, requireHeight, requireHeights, requireRow } from './checks.js'
import { measuredItems, measuredSize } from './components.js'
import { heightsOfArrow, heightsOfFloats } from './heightsfiles.js'
import { heightOf, leavesOf, offsetOf, rowAt, tableRowOf } from './lookup.js'
import { prefetchOf } from './prefetch.js'
import { read } from './reading.js'
import { Resources } from './resources.js'
import { NODE_CAPACITY, NODE_FILL, leaves, setHeight, spliced, tree } from './tree.js'
import { variantFor } from './widths.js'

/** @typedef {import('./reading.js').Buffer} Buffer */
/** @typedef {import('./nodes.js').Node} Node */
/** @typedef {import('./prefetch.js').Prefetch} Prefetch */
/** @typedef {import('./query.js').Query} Query */
/** @typedef {import('./widths.js').VariantOptions} VariantOptions */
/** @typedef {import('./widths.js').Widths} Widths */
/** @typedef {import('./components.js').VirtualItem} VirtualItem */
/** @typedef {import('./components.js').VirtualizerOptions} VirtualizerOptions */

/**
 * The heights of the rows of a list.
 *
 * Heights are numbers that are finite and not negative. Sums of them are exact while 53 bits hold them: that is so for
 * heights from tables, as float32 heights have 24, so that `offsetOf` equals the column `y` of heights.arrow.
 *
 * A row number that is no row of the list is a `RangeError`.
 */
export class Heights {
  /** @type {Node} */
  #root
  /** @type {Resources | null} */
  #resources = null
  /** @type {Widths | null} */
  #widths
  /**
   * The rows of the table whose heights were changed.
   *
   * @type {Set<number>}
   */
  #changed = new Set()

  /**
   * @param {Float64Array} heights The heights, which are checked and belong to the list from now on.
   * @param {Int32Array} tableRows
   * @param {Widths | null} widths How far they hold in other widths, if that is known.
   */
  constructor(heights, tableRows, widths = null) {
    this.#root = tree(leaves(heights, tableRows, NODE_CAPACITY), NODE_CAPACITY)
    this.#widths = widths
  }

  /**
   * Reads heights.arrow of the variant whose width is nearest to that of the list.
   *
   * @param {string | URL} run The address of the directory that galley layout has written, with its manifest.json.
   * @param {number} width The width of the list in points.
   * @param {VariantOptions} [options] What the variant has beside its width.
   * @returns {Promise<Heights>}
   */
  static async forWidth(run, width, options = {}) {
    return Heights.fromArrow(`${await variantFor(run, width, options)}/heights.arrow`)
  }

  /**
   * Reads heights.arrow.
   *
   * @template {Buffer | string | URL} Source
   * @param {Source} source The content of the file, which is read at once, or its address, for which a promise is
   * returned.
   * @returns {Source extends string | URL ? Promise<Heights> : Heights}
   */
  static fromArrow(source) {
    return read(source, 'heights.arrow', (bytes, name) => {
      const { heights, widths } = heightsOfArrow(bytes, name)
      return heightsOf(heights, name, widths)
    })
  }

  /**
   * Reads what `galley export --format f32` writes: the heights as little-endian floats and nothing else.
   *
   * @template {Buffer | string | URL} Source
   * @param {Source} source The content of the file, which is read at once, or its address, for which a promise is
   * returned.
   * @returns {Source extends string | URL ? Promise<Heights> : Heights}
   */
  static fromFloat32(source) {
    return read(source, 'the buffer of floats', (bytes, name) => heightsOf(heightsOfFloats(bytes, name), name))
  }

  /**
   * Makes a list of heights.
   *
   * @param {Iterable<number> | ArrayLike<number>} heights
   */
  static from(heights) {
    return heightsOf(numbersIn(heights), 'the list')
  }

  /** The width of the list for which the heights were laid out, in points; null if it is not known. */
  get width() {
    return this.#widths?.width ?? null
  }

  /** The number of rows. */
  get length() {
    return this.#root.rows
  }

  /** The height of the content: the sum of all heights, in points. */
  get size() {
    return this.#root.height
  }

  /**
   * The resources of the rows, for `prefetch`. They are those of the tables that the heights are from. Rows keep their
   * resources when others are inserted or removed. Rows that were inserted later have none.
   */
  get resources() {
    return this.#resources
  }

  set resources(resources) {
    if (resources !== null && !(resources instanceof Resources)) {
      throw new TypeError('Set resources to what Resources.fromArrow returned, awaited if it was a promise, or to null')
    }
    this.#resources = resources
  }

  /**
   * Returns the height of a row; with the width of a list in points, whether it is certain too: then the row has this height
   * in that width. A height that is not certain is that of `width`.
   *
   * @overload
   * @param {number} row
   * @returns {number}
   */
  /**
   * @overload
   * @param {number} row
   * @param {number} width
   * @returns {{ height: number, certain: boolean }}
   */
  /**
   * @param {number} row
   * @param {number} [width]
   * @returns {any}
   */
  heightOf(row, width) {
    requireRow(row, this.length - 1)
    const height = heightOf(this.#root, row)
    if (width === undefined) return height
    requireFinite(width, 'the width of the list')
    const tableRow = tableRowOf(this.#root, row)
    const certain = tableRow >= 0 && !this.#changed.has(tableRow) && (this.#widths?.holds(tableRow, width) ?? false)
    return { height, certain }
  }

  /**
   * Returns the offset of a row's top: the sum of the heights above. That of the row `length` is `size`.
   *
   * @param {number} row
   * @returns {number}
   */
  offsetOf(row) {
    requireRow(row, this.length)
    return offsetOf(this.#root, row)
  }

  /**
   * Returns the row at an offset: the one with a height of which the top is at the offset or above and the end below.
   * An offset above the content gives what offset 0 gives, one at its end or below the last row, and an empty list -1.
   *
   * @param {number} offset
   * @returns {number}
   */
  rowAt(offset) {
    return rowAt(this.#root, offset)
  }

  /**
   * Changes the height of a row.
   *
   * @param {number} row
   * @param {number} height
   */
  update(row, height) {
    requireRow(row, this.length - 1)
    requireHeight(height, 'the height')
    setHeight(this.#root, row, height)
    if (this.#widths !== null) this.#changed.add(tableRowOf(this.#root, row))
  }

  /**
   * Removes rows and inserts others at their place.
   *
   * @param {number} row The first row that is removed, and the row that the first inserted one becomes.
   * @param {number} removed The number of rows to remove.
   * @param {Iterable<number> | ArrayLike<number>} [heights] The heights of the rows to insert.
   */
  splice(row, removed, heights = []) {
    requireRow(row, this.length)
    if (!Number.isInteger(removed) || removed < 0 || row + removed > this.length) {
      throw new RangeError(
        `${removed} rows cannot be removed at row ${row} of a list of ${this.length}: `
          + `pass a whole number from 0 to ${this.length - row}`)
    }
    const inserted = numbersIn(heights)
    requireHeights(inserted, 'the heights to insert')
    this.#root = tree(spliced(this.#root, row, removed, inserted), NODE_FILL)
  }

  /** @returns {IterableIterator<number>} */
  *[Symbol.iterator]() {
    for (const leaf of leavesOf(this.#root)) yield* leaf.heights
  }
  /**
   * Returns which rows a list needs now and soon, by the rules of `galley prefetch`, which are those of Texture's
   * `ASRangeController`.
   *
   * @param {Query} query
   * @returns {Prefetch}
   */
  prefetch(query) {
    return prefetchOf(this.#root, this.#resources, query)
  }

  // What components take. The functions can be passed on without their list.

  /**
   * Returns the height of a row: `estimateSize` of TanStack Virtual 3.
   *
   * @param {number} index
   */
  estimateSize = (index) => this.heightOf(index)

  /**
   * Returns the rows as measured items: `initialMeasurementsCache` of TanStack Virtual 3. The other options are those
   * of the virtualizer, and must be the same.
   *
   * @param {VirtualizerOptions} [options]
   * @returns {VirtualItem[]}
   */
  initialMeasurementsCache(options = {}) {
    return measuredItems(this, options)
  }

  /**
   * Returns all heights as an array: `heightEstimates` of react-virtuoso 4.18.
   *
   * @returns {number[]}
   */
  heightEstimates() {
    return Array.from(this)
  }

  /**
   * Returns the height of an item of react-virtuoso 4 without measuring it: `itemSize`. An item that is no row of the
   * list, and a width, are measured as the component does it.
   *
   * @param {HTMLElement} element
   * @param {'offsetHeight' | 'offsetWidth'} field
   */
  itemSize = (element, field) => {
    const index = Number(element.dataset.index)
    const isRow = field === 'offsetHeight' && Number.isInteger(index) && index >= 0 && index < this.length
    return isRow ? this.heightOf(index) : measuredSize(element, field)
  }

  /**
   * Returns where a row is: `getItemLayout` of React Native's FlatList.
   *
   * @param {unknown} data
   * @param {number} index
   */
  getItemLayout = (data, index) => ({ length: this.heightOf(index), offset: this.offsetOf(index), index })

  /**
   * Sets the size of a row's layout: `overrideItemLayout` of FlashList 1. FlashList 2 takes only `span` from it and
   * measures the sizes of items itself.
   *
   * @param {{ span?: number, size?: number }} layout
   * @param {unknown} item
   * @param {number} index
   */
  overrideItemLayout = (layout, item, index) => {
    layout.size = this.heightOf(index)
  }
}

/**
 * @param {Float64Array} heights
 * @param {string} name
 * @param {Widths | null} [widths]
 */
function heightsOf(heights, name, widths = null) {
  requireHeights(heights, name)
  const tableRows = new Int32Array(heights.length)
  for (let row = 0; row < tableRows.length; row += 1) tableRows[row] = row
  return new Heights(heights, tableRows, widths)
}
