// The heights of the rows of a list.

import { checkedAxis, isHorizontal, screenPosition } from './axis.js'
import { numbersIn, requireFinite, requireHeight, requireHeights, requireRow } from './checks.js'
import { measuredItems, measuredSize } from './components.js'
import { heightsOfArrow, heightsOfFloats, lengthsOfArrow } from './heightsfiles.js'
import { heightOf, leavesOf, offsetOf, rowAt, tableRowOf } from './lookup.js'
import { prefetchOf } from './prefetch.js'
import { read } from './reading.js'
import { Resources } from './resources.js'
import { NODE_CAPACITY, NODE_FILL, leaves, setHeight, spliced, tree } from './tree.js'
import { variantFor } from './widths.js'

/** @typedef {import('./axis.js').Axis} Axis */
/** @typedef {import('./reading.js').Buffer} Buffer */
/** @typedef {import('./nodes.js').Node} Node */
/** @typedef {import('./prefetch.js').Prefetch} Prefetch */
/** @typedef {import('./query.js').Query} Query */
/** @typedef {import('./widths.js').VariantOptions} VariantOptions */
/** @typedef {import('./widths.js').Widths} Widths */
/** @typedef {import('./components.js').VirtualItem} VirtualItem */
/** @typedef {import('./components.js').VirtualizerOptions} VirtualizerOptions */

/**
 * What a list has beside the lengths of its rows.
 *
 * @typedef {object} ListOptions
 * @property {Axis} [axis] How the rows follow each other, which is `vertical` if it is not given.
 */

/**
 * The heights of the rows of a list, or their widths if it scrolls horizontally.
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
  /** @type {Axis} */
  #axis
  /** @type {number | null} */
  #crossSize
  /**
   * The rows of the table whose heights were changed.
   *
   * @type {Set<number>}
   */
  #changed = new Set()

  /**
   * @param {Float64Array} heights The heights, which are checked and belong to the list from now on.
   * @param {Int32Array} tableRows
   * @param {{ widths?: Widths | null, crossSize?: number | null, axis: Axis }} options How far the heights hold in other
   * widths, the height of a list that scrolls horizontally, and the axis.
   */
  constructor(heights, tableRows, { widths = null, crossSize = null, axis }) {
    this.#axis = axis
    this.#crossSize = crossSize
    this.#root = tree(leaves(heights, tableRows, NODE_CAPACITY), NODE_CAPACITY)
    this.#widths = widths
  }

  /**
   * Reads heights.arrow of the variant whose width is nearest to that of the list.
   *
   * @param {string | URL} run The address of the directory that galley layout has written, with its manifest.json.
   * @param {number} width The width of the list in points.
   * @param {VariantOptions & ListOptions} [options] What the variant has beside its width, and the axis of the list.
   * @returns {Promise<Heights>}
   */
  static async forWidth(run, width, options = {}) {
    const { axis = 'vertical', ...variant } = options
    return Heights.fromArrow(`${await variantFor(run, width, variant)}/heights.arrow`, { axis })
  }

  /**
   * Reads heights.arrow.
   *
   * @template {Buffer | string | URL} Source
   * @param {Source} source The content of the file, which is read at once, or its address, for which a promise is
   * returned.
   * @param {ListOptions} [options] With a horizontal axis, the widths of the rows are read as their lengths.
   * @returns {Source extends string | URL ? Promise<Heights> : Heights}
   */
  static fromArrow(source, options = {}) {
    const axis = axisOf(options)
    return read(source, 'heights.arrow', (bytes, name) => {
      const { heights, ...others } = isHorizontal(axis) ? lengthsOfArrow(bytes, name) : heightsOfArrow(bytes, name)
      return heightsOf(heights, name, { ...others, axis })
    })
  }

  /**
   * Reads what `galley export --format f32` writes: the heights as little-endian floats and nothing else.
   *
   * @template {Buffer | string | URL} Source
   * @param {Source} source The content of the file, which is read at once, or its address, for which a promise is
   * returned.
   * @param {ListOptions} [options]
   * @returns {Source extends string | URL ? Promise<Heights> : Heights}
   */
  static fromFloat32(source, options = {}) {
    const axis = axisOf(options)
    return read(source, 'the buffer of floats', (bytes, name) => heightsOf(heightsOfFloats(bytes, name), name, { axis }))
  }

  /**
   * Makes a list of heights.
   *
   * @param {Iterable<number> | ArrayLike<number>} heights The heights of the rows, or their widths with a horizontal axis.
   * @param {ListOptions} [options]
   */
  static from(heights, options = {}) {
    return heightsOf(numbersIn(heights), 'the list', { axis: axisOf(options) })
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
    return prefetchOf(this.#root, this.#resources, query, this.#axis)
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
 * @param {{ widths?: Widths | null, crossSize?: number | null, axis: Axis }} options
 */
function heightsOf(heights, name, options) {
  requireHeights(heights, name)
  const tableRows = new Int32Array(heights.length)
  for (let row = 0; row < tableRows.length; row += 1) tableRows[row] = row
  return new Heights(heights, tableRows, options)
}

/** @param {ListOptions} options */
function axisOf({ axis = 'vertical' }) {
  return checkedAxis(axis)
}
