// Columns of numbers in the batches of an Arrow file. The numbers stay in the bytes of the file.

import { NUMBERS } from './flatbuffers.js'
import { lastAtMost } from './numbers.js'

/** @typedef {import('./arrowcolumns.js').ColumnPart} ColumnPart */
/** @typedef {import('./flatbuffers.js').Section} Section */

/** The numbers of a column in all batches. A null is NaN, a bit 0 or 1. */
export class NumberColumn {
  /** @type {ColumnPart[]} */
  #parts
  /** @type {(part: ColumnPart, index: number) => number} */
  #value
  /**
   * The number of values before each part, and after the last.
   *
   * @type {Float64Array}
   */
  #firsts

  /**
   * @param {ColumnPart[]} parts
   * @param {string} type
   */
  constructor(parts, type) {
    this.#parts = parts
    this.#value = valueOf(parts, type)
    this.#firsts = firstsOf(parts.map(({ rows }) => rows))
  }

  get length() {
    return this.#firsts[this.#parts.length]
  }

  /** @param {number} index */
  at(index) {
    const part = lastAtMost(this.#firsts, this.#parts.length, index)
    return this.#value(this.#parts[part], index - this.#firsts[part])
  }

  /** @param {(value: number, index: number) => void} callback */
  forEach(callback) {
    this.#parts.forEach((part, number) => {
      for (let index = 0; index < part.rows; index += 1) {
        callback(this.#value(part, index), this.#firsts[number] + index)
      }
    })
  }

  /** Returns the numbers as an array of their own. */
  toArray() {
    const result = new Float64Array(this.length)
    this.forEach((value, index) => { result[index] = value })
    return result
  }
}

/**
 * Returns the function that reads a value, after a check that the parts are as long as they state.
 *
 * @param {ColumnPart[]} parts
 * @param {string} type
 * @returns {(part: ColumnPart, index: number) => number}
 */
function valueOf(parts, type) {
  if (type === 'bool') {
    for (const { rows, buffers: [values] } of parts) values.require(0, (rows + 7) >>> 3)
    return ({ buffers: [values] }, index) => bit(values, index)
  }
  const known = Object.prototype.hasOwnProperty.call(NUMBERS, type)
  const [size, value] = known ? NUMBERS[type] : [0, () => NaN]
  for (const { rows, validity, buffers: [values] } of parts) {
    if (!known) throw new Error(`${values.what} of ${values.name} is ${type}, which galley does not write. Pass its own files`)
    values.require(0, rows * size)
    validity?.require(0, (rows + 7) >>> 3)
  }
  return ({ validity, buffers: [values] }, index) =>
    validity !== null && bit(validity, index) === 0 ? NaN : value(values, index * size)
}

/**
 * @param {Section} bits
 * @param {number} index
 */
function bit(bits, index) {
  return (bits.view.getUint8(index >>> 3) >>> (index & 7)) & 1
}

/**
 * Returns the number of values before each part, and after the last.
 *
 * @param {number[]} counts
 */
export function firstsOf(counts) {
  const firsts = new Float64Array(counts.length + 1)
  counts.forEach((count, part) => { firsts[part + 1] = firsts[part] + count })
  return firsts
}
