// The records of rows in tables that have any number of records for each row.

import { requireNumber } from './checks.js'
import { damage } from './reading.js'

/** @typedef {import('./arrownumbers.js').NumberColumn} NumberColumn */
/** @typedef {import('./arrowtable.js').ArrowTable} ArrowTable */

/**
 * Checks that the rows of the records ascend.
 *
 * @param {ArrowTable} table
 */
export function requireRowOrder(table) {
  let last = 0
  table.numbers('row').forEach((row, record) => {
    if (row < last) throw damage(table.name, `record ${record} is of row ${row}, the one before of a later row`)
    last = row
  })
}

/**
 * Returns a checksum of the number of frames of each row with another row.
 *
 * @param {number} checksum
 * @param {number} row
 * @param {number} frames The number of its frames.
 */
export function frameSumWith(checksum, row, frames) {
  return (checksum + Math.imul(row + 1, frames)) | 0
}

/**
 * Returns the index of the first record of a row and that after its last. The rows ascend.
 *
 * @param {ArrowTable} table
 * @param {number} row
 */
export function recordsOf(table, row) {
  requireNumber(row, 'a row')
  const rows = table.numbers('row')
  const first = firstRecord(rows, row)
  let end = first
  while (end < rows.length && rows.at(end) === row) end += 1
  return { first, end }
}

/**
 * Returns the index of the first record of a row or of a later one.
 *
 * @param {NumberColumn} rows
 * @param {number} row
 */
function firstRecord(rows, row) {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (rows.at(middle) < row) low = middle + 1
    else high = middle
  }
  return low
}
