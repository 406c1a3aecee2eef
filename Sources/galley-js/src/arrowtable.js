// Columns of an Arrow file.

import { lastAtMost } from './numbers.js'
import { damage } from './reading.js'

/**
 * Strings of one batch.
 *
 * @typedef {object} Strings
 * @property {Uint8Array} bytes
 * @property {Int32Array} offsets
 */

/**
 * Strings of all batches, or of a dictionary to which the rows refer by number.
 *
 * @typedef {object} StringColumn
 * @property {Strings[]} strings
 * @property {Float64Array} firsts The number of strings before each part, and after the last.
 * @property {Float64Array | null} numbers The numbers of the strings of the rows, if they are in a dictionary.
 */

/** Columns of all batches of an Arrow file. */
export class ArrowTable {
  /** @type {Record<string, Float64Array>} */
  #numbers = {}
  /** @type {Record<string, StringColumn>} */
  #strings = {}

  /**
   * @param {string} name
   * @param {Map<string, string>} metadata Those of the schema.
   */
  constructor(name, metadata) {
    this.name = name
    this.metadata = metadata
  }

  /**
   * @param {string} column
   * @param {Float64Array} numbers
   */
  setNumbers(column, numbers) {
    this.#numbers[column] = numbers
  }

  /**
   * @param {string} column
   * @param {Strings[]} strings
   * @param {Float64Array | null} numbers The numbers of strings of the rows, if they are in a dictionary.
   */
  setStrings(column, strings, numbers) {
    const firsts = new Float64Array(strings.length + 1)
    strings.forEach(({ offsets }, index) => {
      firsts[index + 1] = firsts[index] + offsets.length - 1
    })
    const count = firsts[strings.length]
    numbers?.forEach((number, row) => {
      if (number < 0 || number >= count) {
        throw damage(this.name, `${column} of record ${row} is string ${number} of a dictionary of ${count}`)
      }
    })
    this.#strings[column] = { strings, firsts, numbers }
  }

  /**
   * Returns the numbers of a column, which must be among those that the table was read with.
   *
   * @param {string} column
   */
  numbers(column) {
    return this.#numbers[column]
  }

  /** @param {string} column */
  has(column) {
    return column in this.#numbers
  }

  /**
   * @param {string} column
   * @param {number} row
   */
  string(column, row) {
    const { strings, firsts, numbers } = this.#strings[column]
    const number = numbers === null ? row : numbers[row]
    const part = lastAtMost(firsts, strings.length, number)
    const { bytes, offsets } = strings[part]
    const index = number - firsts[part]
    // It is made here, so that a list without resources needs none: React Native may lack it.
    const decoder = new TextDecoder('utf-8', { fatal: true })
    try {
      return decoder.decode(bytes.subarray(offsets[index], offsets[index + 1]))
    } catch {
      throw damage(this.name, `${column} of record ${row} is no UTF-8`)
    }
  }
}
