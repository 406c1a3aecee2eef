// Columns of lists of records in the batches of an Arrow file.

import { firstsOf } from './arrownumbers.js'
import { lastAtMost } from './numbers.js'
import { damage } from './reading.js'

/** @typedef {import('./arrowcolumns.js').ColumnPart} ColumnPart */

/**
 * A column of the records of one batch.
 *
 * @typedef {{ at(index: number): string | number }} Column
 */

/** A column whose values are lists of records. */
export class ListColumn {
  /** @type {ColumnPart[]} */
  #parts
  /** @type {Float64Array} */
  #firsts
  /**
   * The columns of the records of each part, by name.
   *
   * @type {Record<string, Column>[]}
   */
  #columns

  /**
   * @param {ColumnPart[]} parts
   * @param {Record<string, Column>[]} columns
   */
  constructor(parts, columns) {
    for (const { rows, buffers: [offsets] } of parts) if (rows > 0) offsets.require(0, (rows + 1) * 4)
    this.#parts = parts
    this.#firsts = firstsOf(parts.map(({ rows }) => rows))
    this.#columns = columns
  }

  /**
   * Returns the records of a value.
   *
   * @param {number} index
   * @returns {Record<string, string | number>[]}
   */
  at(index) {
    const number = lastAtMost(this.#firsts, this.#parts.length, index)
    const { buffers: [offsets], children: [records] } = this.#parts[number]
    const position = (index - this.#firsts[number]) * 4
    const [first, end] = [offsets.view.getInt32(position, true), offsets.view.getInt32(position + 4, true)]
    if (first < 0 || end < first || end > records.rows) {
      throw damage(offsets.name, `${offsets.what} has a list of the records ${first} to ${end} of ${records.rows}`)
    }
    const columns = Object.entries(this.#columns[number])
    return Array.from({ length: end - first }, (_, record) =>
      Object.fromEntries(columns.map(([name, column]) => [name, column.at(first + record)])))
  }
}
