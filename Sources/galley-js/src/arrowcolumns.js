// Columns in the batches of an Arrow file.

import { damage } from './reading.js'

/** @typedef {import('./arrowschema.js').Field} Field */
/** @typedef {import('./flatbuffers.js').Section} Section */
/** @typedef {import('./arrowtable.js').Strings} Strings */
/** @typedef {import('./flatbuffers.js').Table} Table */

/**
 * A message with its body.
 *
 * @typedef {object} Message
 * @property {Table} header
 * @property {Section} body
 */

/**
 * Returns the number of rows of a column in a batch, the bits of those that are not null if it has nulls, and its other
 * buffers.
 *
 * @param {Message} message
 * @param {Field[]} fields
 * @param {number} column
 * @param {boolean} [isNullable] Whether the column can have nulls.
 */
export function columnOf({ header, body }, fields, column, isNullable = false) {
  const { name } = body
  if (header.table(3) !== null) throw new Error(`${name} is compressed, which galley does not do. Pass its own files`)
  const rows = header.int64(0)
  const nodes = header.vector(1, 16)
  const buffers = header.vector(2, 16)
  const all = partsOf(fields)
  if (nodes.length !== all.nodes || buffers.length !== all.buffers) {
    throw damage(name, `the columns of ${body.what} are not those of the schema`)
  }
  const metadata = header.section
  const first = partsOf(fields.slice(0, column))
  if (metadata.int64(nodes[first.nodes]) !== rows || rows < 0) {
    throw damage(name, `the column ${fields[column].name} in ${body.what} has not as many values as the batch`)
  }
  const hasNulls = metadata.int64(nodes[first.nodes] + 8) !== 0
  if (hasNulls && !isNullable) {
    throw new Error(`The column ${fields[column].name} of ${name} has nulls. Pass the table that galley wrote`)
  }
  const [validity, ...rest] = buffers.slice(first.buffers, first.buffers + bufferCount(fields[column])).map((position) =>
    body.section(metadata.int64(position), metadata.int64(position + 8), `the column ${fields[column].name}`))
  return { rows, validity: hasNulls ? bitsOf(validity, rows) : null, buffers: rest }
}

/**
 * Returns the number of buffers of a column itself.
 *
 * @param {Field} field
 */
function bufferCount({ stored }) {
  if (stored === 'utf8') return 3
  return stored === 'struct' ? 1 : 2
}

/**
 * Returns the numbers of nodes and buffers that columns have in a batch, with those of their children.
 *
 * @param {Field[]} fields
 * @returns {{ nodes: number, buffers: number }}
 */
function partsOf(fields) {
  const count = { nodes: 0, buffers: 0 }
  for (const field of fields) {
    const children = partsOf(field.children)
    count.nodes += 1 + children.nodes
    count.buffers += bufferCount(field) + children.buffers
  }
  return count
}

/** @typedef {ReturnType<typeof columnOf>} ColumnPart */

/**
 * The size of a number in bytes and the function that reads it.
 *
 * @type {Record<string, [number, (section: Section, position: number) => number]>}
 */
const NUMBERS = {
  int8: [1, ({ view }, position) => view.getInt8(position)],
  uint8: [1, ({ view }, position) => view.getUint8(position)],
  int16: [2, ({ view }, position) => view.getInt16(position, true)],
  uint16: [2, ({ view }, position) => view.getUint16(position, true)],
  int32: [4, ({ view }, position) => view.getInt32(position, true)],
  uint32: [4, ({ view }, position) => view.getUint32(position, true)],
  int64: [8, (section, position) => section.int64(position)],
  uint64: [8, (section, position) => section.int64(position)],
  float32: [4, ({ view }, position) => view.getFloat32(position, true)],
  float64: [8, ({ view }, position) => view.getFloat64(position, true)],
}

/**
 * Returns the numbers of a column. A null is NaN.
 *
 * @param {ColumnPart} part
 * @param {string} type
 */
export function numbersOf({ rows, validity, buffers: [values] }, type) {
  if (type === 'bool') return bitsOf(values, rows)
  if (!Object.prototype.hasOwnProperty.call(NUMBERS, type)) {
    throw new Error(`${values.what} of ${values.name} is ${type}, which galley does not write. Pass its own files`)
  }
  const [size, value] = NUMBERS[type]
  values.require(0, rows * size)
  const result = new Float64Array(rows)
  for (let row = 0; row < rows; row += 1) result[row] = validity?.[row] === 0 ? NaN : value(values, row * size)
  return result
}

/**
 * Returns the bits of a column as zeros and ones.
 *
 * @param {Section} values
 * @param {number} rows
 */
function bitsOf(values, rows) {
  values.require(0, (rows + 7) >>> 3)
  return Float64Array.from({ length: rows }, (_, row) => (values.view.getUint8(row >>> 3) >>> (row & 7)) & 1)
}

/**
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
