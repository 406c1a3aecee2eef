// Checks of what callers pass.

/** @typedef {import('./frames.js').Frames} Frames */
/** @typedef {import('./heights.js').Heights} Heights */
/** @typedef {import('./lines.js').Lines} Lines */

/** @param {unknown} value */
export function shown(value) {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

/**
 * Checks that heights, frames and lines were read, and are of one run.
 *
 * @param {{ heights: Heights, frames?: Frames, lines?: Lines }} tables
 */
export function requireTables(tables) {
  for (const [name, table] of Object.entries(tables)) {
    if (typeof table !== 'object' || table === null || table instanceof Promise) {
      throw new TypeError(`Pass what fromArrow returned for ${name}, awaited if it was a promise, not ${shown(table)}`)
    }
  }
  const { heights, frames, lines } = tables
  // Tables of earlier versions state no checksum, but their heights state the number of frames.
  if (frames !== undefined) {
    if (heights.frameSum !== null && heights.frameSum !== frames.frameSum) throw differentRuns('heights', 'frames')
    requireRun(heights, frames, 'heights', 'frames')
  }
  if (lines !== undefined) requireRun(heights, lines, 'heights', 'lines')
}

/**
 * Checks that two tables are of one run, if both state it.
 *
 * @param {{ framesChecksum: string | null }} table
 * @param {{ framesChecksum: string | null }} other
 * @param {string} name
 * @param {string} otherName
 */
export function requireRun(table, other, name, otherName) {
  if (table.framesChecksum && other.framesChecksum && table.framesChecksum !== other.framesChecksum) throw differentRuns(name, otherName)
}

/**
 * @param {string} name
 * @param {string} otherName
 */
function differentRuns(name, otherName) {
  return new Error(`The ${name} and the ${otherName} are of two runs. Read all tables from one directory that galley layout wrote`)
}

/**
 * Checks that an object has no other properties than those that are known.
 *
 * @param {unknown} object
 * @param {readonly string[]} names
 * @param {string} what
 */
export function requireProperties(object, names, what) {
  if (typeof object !== 'object' || object === null) {
    throw new TypeError(`Pass an object for ${what}, which can have ${names.join(', ')}, not ${shown(object)}`)
  }
  const unknown = Object.keys(object).find((name) => !names.includes(name))
  if (unknown !== undefined) {
    throw new TypeError(`There is no property ${shown(unknown)} in ${what}, only ${names.join(', ')}`)
  }
}

/**
 * Returns a value that is one of those that are known.
 *
 * @template Known
 * @param {unknown} value
 * @param {readonly Known[]} known
 * @param {string} what
 * @returns {Known}
 */
export function oneOf(value, known, what) {
  const found = known.find((one) => one === value)
  if (found !== undefined) return found
  throw new RangeError(`${what} is ${shown(value)}: pass one of ${known.map(shown).join(', ')}`)
}

/**
 * @param {unknown} row
 * @param {number} last
 */
export function requireRow(row, last) {
  requireNumber(row, 'a row')
  if (Number.isInteger(row) && row >= 0 && row <= last) return
  const advice = last < 0 ? 'insert rows with splice first' : `pass a whole number from 0 to ${last}`
  throw new RangeError(`There is no row ${shown(row)} in this list of heights: ${advice}`)
}

/**
 * @param {unknown} number
 * @param {string} what
 * @returns {asserts number is number}
 */
export function requireNumber(number, what) {
  if (typeof number !== 'number') throw new TypeError(`Pass a number for ${what}, not ${shown(number)}`)
}

/**
 * @param {unknown} number
 * @param {string} what
 * @returns {asserts number is number}
 */
export function requireFinite(number, what) {
  requireNumber(number, what)
  if (!Number.isFinite(number)) throw new RangeError(`Pass a finite number for ${what}, not ${number}`)
}

/**
 * @param {unknown} flag
 * @param {string} what
 */
export function requireBoolean(flag, what) {
  if (typeof flag !== 'boolean') throw new TypeError(`Pass true or false for ${what}, not ${shown(flag)}`)
}

/**
 * @param {unknown} height
 * @param {string} what
 */
export function requireHeight(height, what) {
  requireFinite(height, what)
  if (height < 0) throw new RangeError(`Pass a number that is at least 0 for ${what}, not ${height}`)
}

/**
 * @param {Float64Array} heights
 * @param {string} what
 */
export function requireHeights(heights, what) {
  for (let row = 0; row < heights.length; row += 1) {
    if (!(heights[row] >= 0 && heights[row] < Infinity)) requireHeight(heights[row], `height ${row} of ${what}`)
  }
}

/**
 * Returns numbers as a copy of their own, rounded to 32 bits. JSON has the shortest text of a float32 number, which is another
 * float64 number: 526.3281 stands for 526.328125.
 *
 * @param {Iterable<number> | ArrayLike<number>} heights
 * @param {string} what
 */
export function heightsIn(heights, what) {
  if (heights instanceof Float64Array || heights instanceof Float32Array) return new Float64Array(new Float32Array(heights))
  if (!isSequence(heights)) {
    throw new TypeError(`Pass an array of numbers for ${what}, or anything else that can be iterated, such as the property `
      + `heights of what galley export --format json writes, not ${shown(heights)}`)
  }
  const values = Array.from(heights)
  values.forEach((value, row) => {
    // A Float32Array would make 0 of null.
    if (typeof value !== 'number') throw new TypeError(`Height ${row} must be a number, not ${shown(value)}`)
  })
  return new Float64Array(new Float32Array(values))
}

/**
 * Returns whether a value has elements. `Array.from` makes an empty array of any other value but null and undefined.
 *
 * @param {any} value
 */
function isSequence(value) {
  return typeof value === 'object' && value !== null && (Symbol.iterator in value || typeof value.length === 'number')
}
