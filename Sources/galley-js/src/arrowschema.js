// The schema of an Arrow file.

/** @typedef {import('./flatbuffers.js').Table} Table */

/** @typedef {'uint64' | 'uint32' | 'uint16' | 'int32' | 'float32' | 'float64' | 'utf8' | 'bool'} ColumnType */

/**
 * The types that columns must have, by their names. Those of the fields of records are the type of a list of records.
 *
 * @typedef {Record<string, ColumnType | Record<string, ColumnType>>} ColumnTypes
 */

/**
 * A column of the schema.
 *
 * @typedef {object} Field
 * @property {string} name
 * @property {string} type The type of its values.
 * @property {string} stored The type of what the batches have: the values, or the numbers of strings of a dictionary.
 * @property {number | null} dictionary The number of its dictionary.
 * @property {Field[]} children The records of lists, or the fields of records.
 */

/**
 * @param {Table} field
 * @param {string} file
 * @returns {Field}
 */
export function fieldOf(field, file) {
  const name = field.string(0)
  const type = typeOf(field.number('uint8', 2), field.requiredTable(3, `type of the column ${name}`))
  const children = type === 'list' || type === 'struct' ? field.tables(5).map((child) => fieldOf(child, file)) : []
  // The only lists that galley writes are those of records.
  if (type === null || (type === 'list' && (children.length !== 1 || children[0].type !== 'struct'))) {
    throw new Error(`The column ${name} of ${file} has a type that galley does not write`)
  }
  const encoding = field.table(4)
  if (encoding === null) return { name, type, stored: type, dictionary: null, children }
  const index = encoding.table(1)
  // The numbers of strings are signed integers of 32 bits if the file does not say what they are.
  return { name, type, stored: index === null ? 'int32' : integerType(index), dictionary: encoding.number('int64', 0), children }
}

/**
 * Returns the type for a code in Arrow's union Type, or null if it is one that Galley does not write.
 *
 * @param {number} code
 * @param {Table} type
 */
function typeOf(code, type) {
  switch (code) {
    case 2: return integerType(type)
    case 3: return ['float16', 'float32', 'float64'][type.number('int16', 0)] ?? null
    case 5: return 'utf8'
    case 6: return 'bool'
    case 12: return 'list'
    case 13: return 'struct'
    default: return null
  }
}

/** @param {Table} type */
function integerType(type) {
  return `${type.number('uint8', 1) === 0 ? 'uint' : 'int'}${type.number('int32', 0)}`
}

/**
 * A column of each table that no other one has.
 *
 * @type {Record<string, string>}
 */
const OWN_COLUMNS = { heights: 'cell', resources: 'url', frames: 'parent', lines: 'baseline', texts: 'truncation' }

/**
 * Checks that columns are not those of another table.
 *
 * @param {Field[]} fields
 * @param {string} table
 * @param {string} name
 */
export function requireTable(fields, table, name) {
  const found = Object.keys(OWN_COLUMNS).filter((other) => fields.some((field) => field.name === OWN_COLUMNS[other]))
  if (found.length === 0 || found.includes(table)) return
  throw new Error(`${name} has the columns of ${found[0]}.arrow. Pass ${table}.arrow of the directory that galley wrote`)
}

/**
 * @param {Field[]} fields
 * @param {ColumnTypes} columns
 * @param {string} name
 */
export function requireColumns(fields, columns, name) {
  for (const [column, type] of Object.entries(columns)) {
    const field = fields.find((field) => field.name === column)
    if (field === undefined) {
      const present = fields.map((field) => field.name).join(', ')
      throw new Error(`${name} has no column ${column}, only ${present}. Pass the table of that name that galley wrote`)
    }
    if (typeof type === 'object' && field.type === 'list') {
      requireColumns(field.children[0].children, type, `the column ${column} of ${name}`)
    } else if (field.type !== type) {
      const expected = typeof type === 'object' ? 'list' : type
      throw new Error(`The column ${column} of ${name} is ${field.type}, not ${expected}. Pass the table that galley wrote`)
    }
  }
}
