// The records of rows in tables that have any number of records for each row.

import { damage } from './reading.js'

/** @typedef {import('./arrowtable.js').ArrowTable} ArrowTable */

/**
 * Returns the row of each record. The rows ascend.
 *
 * @param {ArrowTable} table
 */
export function rowsOf(table) {
  const rows = table.numbers('row')
  for (let index = 1; index < rows.length; index += 1) {
    if (rows[index] < rows[index - 1]) {
      throw damage(table.name, `record ${index} is of row ${rows[index]}, the one before of a later row`)
    }
  }
  return rows
}

/**
 * Returns the index of the first record of a row or of a later one.
 *
 * @param {Float64Array} rows
 * @param {number} row
 */
export function firstRecord(rows, row) {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (rows[middle] < row) low = middle + 1
    else high = middle
  }
  return low
}
