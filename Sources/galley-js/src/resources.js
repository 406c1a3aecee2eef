// The resources of the rows of a list.

import { readArrow } from './arrow.js'
import { read } from './reading.js'
import { recordsOf, requireRowOrder } from './records.js'

/** @typedef {import('./arrowtable.js').ArrowTable} ArrowTable */
/** @typedef {import('./reading.js').Buffer} Buffer */

/** The resources of the rows of resources.arrow. */
export class Resources {
  /** @type {ArrowTable} */
  #table

  /** @param {ArrowTable} table */
  constructor(table) {
    this.#table = table
    requireRowOrder(table)
  }

  /**
   * Reads resources.arrow.
   *
   * @template {Buffer | string | URL} Source
   * @param {Source} source The content of the file, which is read at once, or its address, for which a promise is
   * returned.
   * @returns {Source extends string | URL ? Promise<Resources> : Resources}
   */
  static fromArrow(source) {
    return read(source, 'resources.arrow', (bytes, name) => new Resources(readArrow(bytes, name, 'resources', {
      row: 'uint64', node: 'utf8', url: 'utf8', type: 'utf8', pixel_width: 'uint32', pixel_height: 'uint32',
    })))
  }

  /** The number of resources. */
  get length() {
    return this.#table.numbers('row').length
  }

  /**
   * Returns the resources of a row of the tables, in the order of the file.
   *
   * @param {number} row
   */
  of(row) {
    const result = []
    const { first, end } = recordsOf(this.#table, row)
    for (let index = first; index < end; index += 1) {
      result.push({
        row,
        node: this.#table.string('node', index),
        url: this.#table.string('url', index),
        type: this.#table.string('type', index),
        pixel_width: this.#table.number('pixel_width', index),
        pixel_height: this.#table.number('pixel_height', index),
      })
    }
    return result
  }
}
