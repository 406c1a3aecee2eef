// Columns in the batches of an Arrow file.

import { ListColumn } from './arrowlists.js'
import { NumberColumn } from './arrownumbers.js'
import { StringColumn, stringsOf } from './arrowstrings.js'
import { damage } from './reading.js'

/** @typedef {import('./arrowschema.js').Field} Field */
/** @typedef {import('./flatbuffers.js').Section} Section */
/** @typedef {import('./arrowstrings.js').Strings} Strings */
/** @typedef {import('./flatbuffers.js').Table} Table */

/**
 * A message with its body.
 *
 * @typedef {object} Message
 * @property {Table} header
 * @property {Section} body
 */

/**
 * A column in one batch.
 *
 * @typedef {object} ColumnPart
 * @property {number} rows
 * @property {Section | null} validity The bits of the values that are not null, if it has nulls.
 * @property {Section[]} buffers Its other buffers.
 * @property {ColumnPart[]} children
 */

/**
 * Returns a column of a batch.
 *
 * @param {Message} message
 * @param {Field[]} fields
 * @param {number} column
 * @param {boolean} [isNullable] Whether the column can have nulls.
 * @returns {ColumnPart}
 */
export function partOf({ header, body }, fields, column, isNullable = false) {
  const { name } = body
  if (header.table(3) !== null) throw new Error(`${name} is compressed, which galley does not do. Pass its own files`)
  const rows = header.number('int64', 0)
  const metadata = header.section
  const nodes = header.vector(1, 16)
  const buffers = header.vector(2, 16)
  const all = countsOf(fields)
  if (nodes.length !== all.nodes || buffers.length !== all.buffers) {
    throw damage(name, `the columns of ${body.what} are not those of the schema`)
  }
  const first = countsOf(fields.slice(0, column))

  /**
   * Takes the next node and buffers of the batch for a column, and those after them for its children.
   *
   * @param {Field} field
   * @returns {ColumnPart}
   */
  const next = (field) => {
    const node = nodes[first.nodes]
    const hasNulls = metadata.number('int64', node + 8) !== 0
    if (hasNulls && !isNullable) {
      throw new Error(`The column ${field.name} of ${name} has nulls. Pass the table that galley wrote`)
    }
    const [validity, ...others] = buffers.slice(first.buffers, first.buffers + bufferCount(field)).map((position) =>
      body.section(metadata.number('int64', position), metadata.number('int64', position + 8), `the column ${field.name}`))
    first.nodes += 1
    first.buffers += bufferCount(field)
    const children = field.children.map(next)
    return { rows: metadata.number('int64', node), validity: hasNulls ? validity : null, buffers: others, children }
  }

  const part = next(fields[column])
  if (part.rows !== rows || rows < 0) {
    throw damage(name, `the column ${fields[column].name} in ${body.what} has not as many values as the batch`)
  }
  return part
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
function countsOf(fields) {
  const count = { nodes: 0, buffers: 0 }
  for (const field of fields) {
    const children = countsOf(field.children)
    count.nodes += 1 + children.nodes
    count.buffers += bufferCount(field) + children.buffers
  }
  return count
}

/**
 * Returns a column of all batches.
 *
 * @param {string} file The name of the file, for errors.
 * @param {Field} field
 * @param {ColumnPart[]} parts
 * @param {Map<number | null, Strings[]>} dictionaries The strings of each dictionary by its number.
 */
export function columnOf(file, field, parts, dictionaries) {
  if (field.type === 'list') {
    const columns = parts.map(({ children: [records] }) => recordColumns(file, field.children[0], records, dictionaries))
    return new ListColumn(parts, columns)
  }
  return valueColumn(file, field, parts, dictionaries)
}

/**
 * @param {string} file
 * @param {Field} field
 * @param {ColumnPart[]} parts
 * @param {Map<number | null, Strings[]>} dictionaries
 */
function valueColumn(file, { name, type, stored, dictionary }, parts, dictionaries) {
  if (stored === 'utf8') return new StringColumn(file, name, parts.map(stringsOf), null)
  const numbers = new NumberColumn(parts, stored)
  return type === 'utf8' ? new StringColumn(file, name, dictionaries.get(dictionary) ?? [], numbers) : numbers
}

/**
 * Returns the columns of the records of one batch.
 *
 * @param {string} file
 * @param {Field} field
 * @param {ColumnPart} records
 * @param {Map<number | null, Strings[]>} dictionaries
 */
function recordColumns(file, field, records, dictionaries) {
  return Object.fromEntries(field.children.map((child, index) => {
    const part = records.children[index]
    if (part.rows !== records.rows) {
      throw damage(file, `the column ${child.name} has ${part.rows} values for ${records.rows} records`)
    }
    return [child.name, valueColumn(file, child, [part], dictionaries)]
  }))
}
