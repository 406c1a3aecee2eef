// The columns of an Arrow file.

/** @typedef {import('./arrowlists.js').ListColumn} ListColumn */
/** @typedef {import('./arrownumbers.js').NumberColumn} NumberColumn */
/** @typedef {import('./arrowstrings.js').StringColumn} StringColumn */

/** Columns of all batches of an Arrow file. Those that are asked for must be among those that it was read with. */
export class ArrowTable {
  /** @type {Map<string, any>} */
  #columns

  /**
   * @param {string} name
   * @param {Map<string, string>} metadata Those of the schema.
   * @param {Map<string, NumberColumn | StringColumn | ListColumn>} columns
   */
  constructor(name, metadata, columns) {
    this.name = name
    this.metadata = metadata
    this.#columns = columns
  }

  /** The checksum of the frames to which it belongs; null if there are none, and for tables of earlier versions. */
  get framesChecksum() {
    return this.metadata.get('galley.frames') ?? null
  }

  /** @param {string} column */
  has(column) {
    return this.#columns.has(column)
  }

  /**
   * @param {string} column
   * @returns {NumberColumn}
   */
  numbers(column) {
    return this.#columns.get(column)
  }

  /**
   * @param {string} column
   * @param {number} record
   * @returns {number}
   */
  number(column, record) {
    return this.#columns.get(column).at(record)
  }

  /**
   * @param {string} column
   * @param {number} record
   * @returns {string}
   */
  string(column, record) {
    return this.#columns.get(column).at(record)
  }

  /**
   * Returns the records of a list.
   *
   * @param {string} column
   * @param {number} record
   * @returns {any[]}
   */
  records(column, record) {
    return this.#columns.get(column).at(record)
  }
}
