// Arrow IPC files: the magic bytes, messages, a footer with the schema and the places of the messages, the footer's
// length, and the magic bytes again. Metadata are FlatBuffers, of which the numbers of the fields are in Arrow's
// File.fbs, Message.fbs and Schema.fbs.

import { columnOf, partOf } from './arrowcolumns.js'
import { fieldOf, requireColumns, requireTable } from './arrowschema.js'
import { stringsOf } from './arrowstrings.js'
import { ArrowTable } from './arrowtable.js'
import { Section } from './flatbuffers.js'
import { damage } from './reading.js'

/** @typedef {import('./arrowschema.js').ColumnTypes} ColumnTypes */
/** @typedef {import('./arrowcolumns.js').Message} Message */
/** @typedef {import('./arrowstrings.js').Strings} Strings */
/** @typedef {import('./flatbuffers.js').Table} Table */

const MAGIC = [0x41, 0x52, 0x52, 0x4f, 0x57, 0x31]
/** The size of a file without footer: the magic bytes with padding, the footer's length and the magic bytes. */
const SMALLEST_FILE = 8 + 4 + 6
const DICTIONARY_BATCH = 2
const RECORD_BATCH = 3
const LITTLE_ENDIAN = 0

/**
 * @param {Uint8Array} bytes
 * @param {number} position
 */
export function hasMagic(bytes, position) {
  return position >= 0 && MAGIC.every((byte, index) => bytes[position + index] === byte)
}

/**
 * Reads columns of an Arrow IPC file. Their values stay in its bytes.
 *
 * @param {Uint8Array} bytes
 * @param {string} name The name of the file, for errors.
 * @param {string} table The name of the table that it must be, such as `heights`.
 * @param {ColumnTypes} columns The columns to read and the types that they must have.
 * @param {ColumnTypes} [later] Columns that tables of earlier versions lack, which can have nulls.
 * @returns {ArrowTable}
 */
export function readArrow(bytes, name, table, columns, later = {}) {
  const file = new Section(bytes, name, 'the file')
  const footer = footerOf(file)
  const schema = footer.requiredTable(1, 'schema')
  if (schema.number('int16', 0) !== LITTLE_ENDIAN) throw new Error(`${name} is big-endian. Write it with galley`)
  const fields = schema.tables(1).map((field) => fieldOf(field, name))
  requireTable(fields, table, name)
  requireColumns(fields, columns, name)
  const present = Object.entries(later).filter(([column]) => fields.some((field) => field.name === column))
  requireColumns(fields, Object.fromEntries(present), name)

  const batches = bodies(file, footer, 3, RECORD_BATCH)
  const dictionaries = readDictionaries(bodies(file, footer, 2, DICTIONARY_BATCH))
  /** @type {Map<string, ReturnType<typeof columnOf>>} */
  const found = new Map()
  for (const column of [...Object.keys(columns), ...Object.keys(later)]) {
    const index = fields.findIndex((field) => field.name === column)
    if (index < 0) continue
    const parts = batches.map((batch) => partOf(batch, fields, index, column in later))
    found.set(column, columnOf(name, fields[index], parts, dictionaries))
  }
  /** @type {Map<string, string>} */
  const metadata = new Map()
  for (const entry of schema.tables(2)) metadata.set(entry.string(0), entry.string(1))
  return new ArrowTable(name, metadata, found)
}

/** @param {Section} file */
function footerOf(file) {
  const { bytes, name } = file
  const foreign = `${name} is no Arrow file. Pass heights.arrow or another table of a directory that galley wrote`
  if (bytes.length < SMALLEST_FILE) {
    if (hasMagic(bytes, 0)) throw damage(name, `it has only ${bytes.length} bytes`)
    throw new Error(foreign)
  }
  if (!hasMagic(bytes, 0)) throw new Error(foreign)
  const lengthPosition = bytes.length - MAGIC.length - 4
  if (!hasMagic(bytes, lengthPosition + 4)) throw damage(name, 'its end is missing')
  const length = file.number('int32', lengthPosition)
  return file.section(lengthPosition - length, length, 'its footer').root()
}

/**
 * Returns the messages that a vector of the footer refers to.
 *
 * @param {Section} file
 * @param {Table} footer
 * @param {number} field
 * @param {number} headerType
 * @returns {Message[]}
 */
function bodies(file, footer, field, headerType) {
  const { section: blocks } = footer
  let end = 0
  return footer.vector(field, 24).map((position, index) => {
    const start = blocks.number('int64', position)
    const metadataLength = blocks.number('int32', position + 8)
    const bodyLength = blocks.number('int64', position + 16)
    const what = `${headerType === RECORD_BATCH ? 'batch' : 'dictionary'} ${index}`
    // Messages that overlap would let a small file claim any number of rows.
    if (start < end) throw damage(file.name, `${what} begins before the end of the one before`)
    end = start + metadataLength + bodyLength
    const metadata = file.section(start, metadataLength, what)
    if (metadata.number('int32', 0) !== -1) throw damage(file.name, `there is no message where ${what} should begin`)
    const message = metadata.section(8, metadata.number('int32', 4), what).root()
    if (message.number('uint8', 1) !== headerType || message.number('int64', 3) !== bodyLength) {
      throw damage(file.name, `the footer and the message of ${what} differ`)
    }
    return {
      header: message.requiredTable(2, 'header'),
      body: file.section(start + metadataLength, bodyLength, `the body of ${what}`),
    }
  })
}

/**
 * Returns the strings of each dictionary by its number.
 *
 * @param {Message[]} messages
 */
function readDictionaries(messages) {
  /** @type {Map<number | null, Strings[]>} */
  const dictionaries = new Map()
  for (const { header, body } of messages) {
    const id = header.number('int64', 0)
    if (dictionaries.has(id)) {
      throw new Error(`${body.name} has a dictionary in parts, which galley does not write. Pass its own files`)
    }
    const message = { header: header.requiredTable(1, 'strings'), body }
    const field = { name: 'strings', type: 'utf8', stored: 'utf8', dictionary: null, children: [] }
    dictionaries.set(id, [stringsOf(partOf(message, [field], 0))])
  }
  return dictionaries
}
