// Columns of strings in the batches of an Arrow file. The strings stay in the bytes of the file.

import { firstsOf } from './arrownumbers.js'
import { lastAtMost } from './numbers.js'
import { damage } from './reading.js'

/** @typedef {import('./arrowcolumns.js').ColumnPart} ColumnPart */
/** @typedef {import('./arrownumbers.js').NumberColumn} NumberColumn */

/**
 * Strings of one batch.
 *
 * @typedef {object} Strings
 * @property {Uint8Array} bytes
 * @property {Int32Array} offsets
 */

/**
 * Returns the strings of a part of a column.
 *
 * @param {ColumnPart} part
 * @returns {Strings}
 */
export function stringsOf({ rows, buffers: [offsets, bytes] }) {
  const ends = new Int32Array(rows + 1)
  // A column without rows may have no offsets.
  if (rows > 0) offsets.require(0, (rows + 1) * 4)
  for (let row = 0; row <= rows && rows > 0; row += 1) {
    ends[row] = offsets.view.getInt32(row * 4, true)
    if (ends[row] < (row === 0 ? 0 : ends[row - 1]) || ends[row] > bytes.bytes.length) {
      throw damage(offsets.name, `${offsets.what} has a string that ends at byte ${ends[row]} of ${bytes.bytes.length}`)
    }
  }
  return { bytes: bytes.bytes, offsets: ends }
}

/** The strings of a column in all batches, or of a dictionary to which the records refer by number. */
export class StringColumn {
  /** @type {string} */
  #file
  /** @type {string} */
  #name
  /** @type {Strings[]} */
  #strings
  /** @type {Float64Array} */
  #firsts
  /** @type {NumberColumn | null} */
  #numbers
  /**
   * The strings of the dictionary that were read. There are few, such as the names of the nodes.
   *
   * @type {string[]}
   */
  #known = []

  /**
   * @param {string} file The name of the file, for errors.
   * @param {string} name The name of the column.
   * @param {Strings[]} strings
   * @param {NumberColumn | null} numbers The numbers of the strings of the records, if they are in a dictionary.
   */
  constructor(file, name, strings, numbers) {
    this.#file = file
    this.#name = name
    this.#strings = strings
    this.#firsts = firstsOf(strings.map(({ offsets }) => offsets.length - 1))
    this.#numbers = numbers
    const count = this.#firsts[strings.length]
    numbers?.forEach((number, record) => {
      if (number < 0 || number >= count) {
        throw damage(file, `${name} of record ${record} is string ${number} of a dictionary of ${count}`)
      }
    })
  }

  /** @param {number} record */
  at(record) {
    if (this.#numbers === null) return this.#decoded(record, record)
    const number = this.#numbers.at(record)
    return this.#known[number] ??= this.#decoded(number, record)
  }

  /**
   * @param {number} number
   * @param {number} record
   */
  #decoded(number, record) {
    const part = lastAtMost(this.#firsts, this.#strings.length, number)
    const { bytes, offsets } = this.#strings[part]
    const index = number - this.#firsts[part]
    // It is made here, so that a list without resources needs none: React Native may lack it.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    try {
      return decoder.decode(bytes.subarray(offsets[index], offsets[index + 1]))
    } catch {
      throw damage(this.#file, `${this.#name} of record ${record} is no UTF-8`)
    }
  }
}
