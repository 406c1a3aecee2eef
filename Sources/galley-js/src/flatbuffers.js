// A reader of FlatBuffers, the format of the metadata of Arrow files.

import { damage } from './reading.js'

/**
 * The size of a number in bytes and the function that reads it, by its type.
 *
 * @type {Record<string, [number, (section: Section, position: number) => number]>}
 */
export const NUMBERS = {
  int8: [1, ({ view }, position) => view.getInt8(position)],
  uint8: [1, ({ view }, position) => view.getUint8(position)],
  int16: [2, ({ view }, position) => view.getInt16(position, true)],
  uint16: [2, ({ view }, position) => view.getUint16(position, true)],
  int32: [4, ({ view }, position) => view.getInt32(position, true)],
  uint32: [4, ({ view }, position) => view.getUint32(position, true)],
  int64: [8, int64],
  uint64: [8, int64],
  float32: [4, ({ view }, position) => view.getFloat32(position, true)],
  float64: [8, ({ view }, position) => view.getFloat64(position, true)],
}

/**
 * @param {Section} section
 * @param {number} position
 */
function int64({ view, name, what }, position) {
  const number = view.getInt32(position + 4, true) * 2 ** 32 + view.getUint32(position, true)
  if (!Number.isSafeInteger(number)) throw damage(name, `${what} has the number ${number}`)
  return number
}

/** A part of a file that must not be read beyond its bounds. */
export class Section {
  /**
   * @param {Uint8Array} bytes
   * @param {string} name The name of the file.
   * @param {string} what
   */
  constructor(bytes, name, what) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.name = name
    this.what = what
  }

  /**
   * Returns the bytes of a part.
   *
   * @param {number} start
   * @param {number} length
   * @param {string} what
   */
  section(start, length, what) {
    this.require(start, length)
    return new Section(this.bytes.subarray(start, start + length), this.name, what)
  }

  /**
   * @param {number} position
   * @param {number} length
   */
  require(position, length) {
    if (!(position >= 0 && length >= 0 && position + length <= this.bytes.length)) {
      const end = position + length
      throw damage(this.name, `${this.what} refers to bytes ${position} to ${end} of ${this.bytes.length}`)
    }
  }

  /**
   * @param {string} type One of those of `NUMBERS`.
   * @param {number} position
   */
  number(type, position) {
    const [size, value] = NUMBERS[type]
    this.require(position, size)
    return value(this, position)
  }

  /** The table that a FlatBuffer begins with. */
  root() {
    return new Table(this, this.number('int32', 0))
  }
}

/** A table of a FlatBuffer. The fields that it lacks have their default. */
export class Table {
  /**
   * @param {Section} section
   * @param {number} position
   */
  constructor(section, position) {
    this.section = section
    this.position = position
    this.vtable = position - section.number('int32', position)
    this.vtableSize = section.number('uint16', this.vtable)
  }

  /**
   * Returns the position of a field, or null if the table lacks it.
   *
   * @param {number} field
   */
  find(field) {
    const entry = 4 + 2 * field
    if (entry + 2 > this.vtableSize) return null
    const offset = this.section.number('uint16', this.vtable + entry)
    return offset === 0 ? null : this.position + offset
  }

  /**
   * @param {string} type
   * @param {number} field
   */
  number(type, field) {
    const position = this.find(field)
    return position === null ? 0 : this.section.number(type, position)
  }

  /** @param {number} field */
  table(field) {
    const position = this.find(field)
    return position === null ? null : new Table(this.section, position + this.section.number('int32', position))
  }

  /**
   * @param {number} field
   * @param {string} what
   */
  requiredTable(field, what) {
    const table = this.table(field)
    if (table === null) throw damage(this.section.name, `${this.section.what} has no ${what}`)
    return table
  }

  /**
   * Returns the positions of the elements of a vector.
   *
   * @param {number} field
   * @param {number} elementSize
   */
  vector(field, elementSize) {
    const position = this.find(field)
    if (position === null) return []
    const start = position + this.section.number('int32', position)
    const count = this.section.number('int32', start)
    this.section.require(start + 4, count * elementSize)
    return Array.from({ length: count }, (_, index) => start + 4 + index * elementSize)
  }

  /** @param {number} field */
  tables(field) {
    return this.vector(field, 4).map((position) => new Table(this.section, position + this.section.number('int32', position)))
  }

  /** @param {number} field */
  string(field) {
    // The names of Galley's columns and variants are ASCII.
    return this.vector(field, 1).map((position) => String.fromCharCode(this.section.number('uint8', position))).join('')
  }
}
