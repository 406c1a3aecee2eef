// The heights of a list: where they come from, and what uses them.

import { AXES, isHorizontal } from './axis.js'
import { heightsIn, oneOf, requireHeights, requireProperties } from './checks.js'
import { measuredItems, measuredSize } from './components.js'
import { heightsOfArrow, heightsOfFloats, lengthsOfArrow } from './heightsfiles.js'
import { prefetchOf } from './prefetch.js'
import { read } from './reading.js'
import { Resources } from './resources.js'
import { RowHeights } from './rowheights.js'
import { VARIANT_OPTIONS, variantFor } from './widths.js'

/** @typedef {import('./axis.js').Axis} Axis */
/** @typedef {import('./reading.js').Buffer} Buffer */
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

/** The heights of a list with what reads them, loads ahead by them and passes them to list components. */
export class Heights extends RowHeights {
  /** @type {Resources | null} */
  #resources = null

  /**
   * Reads heights.arrow of the variant whose width is nearest to that of the list.
   *
   * @param {string | URL} run The address of the directory that galley layout has written, with its manifest.json.
   * @param {number} width The width of the list in points.
   * @param {VariantOptions & ListOptions} [options] What the variant has beside its width, and the axis of the list.
   * @returns {Promise<Heights>}
   */
  static async forWidth(run, width, options = {}) {
    requireProperties(options, [...VARIANT_OPTIONS, 'axis'], 'the options of a variant')
    const { axis, ...variant } = options
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
   * Makes a list of heights, which are kept as 32-bit numbers, as tables have them.
   *
   * @param {Iterable<number> | ArrayLike<number>} heights The heights of the rows, or their widths with a horizontal axis.
   * @param {ListOptions} [options]
   */
  static from(heights, options = {}) {
    return heightsOf(heightsIn(heights, 'the heights'), 'the list', { axis: axisOf(options) })
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
   * Returns which rows a list needs now and soon, by the rules of `galley prefetch`, which are those of Texture's
   * `ASRangeController`.
   *
   * @param {Query} query
   * @returns {Prefetch}
   */
  prefetch(query) {
    return prefetchOf(this.tree, this.#resources, query, this.axis)
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
 * @param {{ widths?: Widths | null, crossSize?: number | null, frameSum?: number | null, framesChecksum?: string | null, axis: Axis }} options
 */
function heightsOf(heights, name, options) {
  requireHeights(heights, name)
  const tableRows = new Int32Array(heights.length)
  for (let row = 0; row < tableRows.length; row += 1) tableRows[row] = row
  return new Heights(heights, tableRows, options)
}

/** @param {ListOptions} options */
function axisOf(options) {
  requireProperties(options, ['axis'], 'the options of a list')
  const { axis = 'vertical' } = options
  return oneOf(axis, AXES, 'The axis of a list')
}
