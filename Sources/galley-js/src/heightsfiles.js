// The files that have the heights of a list.

import { hasMagic, readArrow } from './arrow.js'
import { damage } from './reading.js'
import { frameSumWith } from './records.js'
import { Widths } from './widths.js'

/** @typedef {import('./arrowtable.js').ArrowTable} ArrowTable */

/**
 * Returns the heights of a file of floats.
 *
 * @param {Uint8Array} bytes
 * @param {string} name
 */
export function heightsOfFloats(bytes, name) {
  if (hasMagic(bytes, 0)) throw new Error(`${name} is an Arrow file: read it with fromArrow`)
  if (bytes.length % 4 !== 0) {
    throw new Error(
      `${name} has ${bytes.length} bytes, which is no multiple of 4. `
        + 'Pass all that galley export --format f32 wrote, and nothing else')
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const heights = new Float64Array(bytes.length / 4)
  for (let row = 0; row < heights.length; row += 1) heights[row] = view.getFloat32(row * 4, true)
  return heights
}

/**
 * Returns the widths of the rows of heights.arrow, which are the lengths of rows beside each other, and the height of the
 * highest row. A row of height 0 has no length.
 *
 * @param {Uint8Array} bytes
 * @param {string} name
 */
export function lengthsOfArrow(bytes, name) {
  const table = readArrow(bytes, name, 'heights', { height: 'float32', y: 'float64', width: 'float32' }, { frame_count: 'uint32' })
  const heights = checkedHeights(table, name)
  const lengths = table.numbers('width').toArray().map((width, row) => heights[row] > 0 ? width : 0)
  return { heights: lengths, crossSize: heights.reduce((highest, height) => Math.max(highest, height), 0), widths: null, frameSum: frameSumOf(table), framesChecksum: table.framesChecksum }
}

/**
 * Returns the heights of heights.arrow, and how far they hold in other widths, if the table states it.
 *
 * @param {Uint8Array} bytes
 * @param {string} name
 */
export function heightsOfArrow(bytes, name) {
  const table = readArrow(bytes, name, 'heights', { height: 'float32', y: 'float64' }, {
    frame_count: 'uint32', margin_narrower: 'float32', margin_wider: 'float32', holds_for_width: 'bool',
  })
  return { heights: checkedHeights(table, name), crossSize: null, widths: Widths.of(table), frameSum: frameSumOf(table), framesChecksum: table.framesChecksum }
}

/**
 * Returns the checksum of the frames of a table; null if it does not state them.
 *
 * @param {ArrowTable} table
 */
function frameSumOf(table) {
  if (!table.has('frame_count')) return null
  let sum = 0
  table.numbers('frame_count').forEach((frames, row) => { sum = frameSumWith(sum, row, frames) })
  return sum
}

/**
 * Returns the heights of a table after they were compared with the offsets of the rows. These are not needed, but they show
 * whether a height above the last row was changed since galley wrote it.
 *
 * @param {ArrowTable} table
 * @param {string} name
 */
function checkedHeights(table, name) {
  const heights = table.numbers('height').toArray()
  const offsets = table.numbers('y').toArray()
  let top = 0
  for (let row = 0; row < heights.length; row += 1) {
    if (offsets[row] !== top) {
      throw damage(name, `row ${row} is at ${offsets[row]}, but the heights above add up to ${top}`)
    }
    top += heights[row]
    if (!(heights[row] >= 0 && top < Infinity)) throw damage(name, `the height of row ${row} is ${heights[row]}`)
  }
  return heights
}
