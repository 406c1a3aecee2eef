// The frames of the nodes of a list.

import { readArrow } from './arrow.js'
import { damage, read } from './reading.js'
import { frameSumWith, recordsOf, requireRowOrder } from './records.js'

/** @typedef {import('./arrowtable.js').ArrowTable} ArrowTable */
/** @typedef {import('./reading.js').Buffer} Buffer */

/**
 * The frame of a node. Lengths are in points, in the coordinates of the cell.
 *
 * @typedef {object} Frame
 * @property {string} node The name of the node.
 * @property {string} type The type of its element, such as `text` or `networkImage`.
 * @property {number} parent The index among the row's frames of the node that contains this one; -1 for the cell.
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {number} lines The number of lines of a text; 0 for other nodes.
 * @property {boolean} truncated Whether a text is cut.
 */

/** The frames of the nodes of frames.arrow. They are read from the bytes of the file when they are asked for. */
export class Frames {
  /** @type {ArrowTable} */
  #table
  #frameSum = 0

  /** @param {ArrowTable} table */
  constructor(table) {
    this.#table = table
    requireRowOrder(table)
    table.numbers('row').forEach((row) => { this.#frameSum = frameSumWith(this.#frameSum, row, 1) })
  }

  /**
   * Reads frames.arrow.
   *
   * @template {Buffer | string | URL} Source
   * @param {Source} source The content of the file, which must not be changed afterwards, or its address, for which a
   * promise is returned.
   * @returns {Source extends string | URL ? Promise<Frames> : Frames}
   */
  static fromArrow(source) {
    return read(source, 'frames.arrow', (bytes, name) => new Frames(readArrow(bytes, name, 'frames', {
      row: 'uint64', node: 'utf8', type: 'utf8', parent: 'int32', x: 'float32', y: 'float32', width: 'float32',
      height: 'float32', lines: 'uint16', truncated: 'bool',
    })))
  }

  /** The checksum of the frames of the run; null for tables of earlier versions. */
  get framesChecksum() {
    return this.#table.framesChecksum
  }

  /** The number of frames. */
  get length() {
    return this.#table.numbers('row').length
  }

  /** A checksum of the rows of the frames, which is that of the heights of the same run. */
  get frameSum() {
    return this.#frameSum
  }

  /**
   * Returns the frames of a row of the tables, in the order of the layout. A node comes after the one that contains it.
   *
   * @param {number} row
   * @returns {Frame[]}
   */
  of(row) {
    const table = this.#table
    const { first, end } = recordsOf(table, row)
    return Array.from({ length: end - first }, (_, index) => {
      const record = first + index
      const parent = table.number('parent', record)
      if (parent < -1 || parent >= index) {
        throw damage(table.name, `frame ${index} of row ${row} has the parent ${parent}, which is neither -1 nor a frame before it`)
      }
      return {
        node: table.string('node', record),
        type: table.string('type', record),
        parent,
        x: table.number('x', record),
        y: table.number('y', record),
        width: table.number('width', record),
        height: table.number('height', record),
        lines: table.number('lines', record),
        truncated: table.number('truncated', record) === 1,
      }
    })
  }
}
