// The lines of the texts of a list.

import { readArrow } from './arrow.js'
import { requireRun } from './checks.js'
import { read } from './reading.js'
import { recordsOf, requireRowOrder } from './records.js'

/** @typedef {import('./arrowtable.js').ArrowTable} ArrowTable */
/** @typedef {import('./reading.js').Buffer} Buffer */

/**
 * A line of a text as it is drawn. Lengths are in points, in the coordinates of the text's frame.
 *
 * @typedef {object} Line
 * @property {string} characters What is drawn, with the hyphen or the truncation string at its end.
 * @property {number} start The offset in the text of the first unit, in UTF-16.
 * @property {number} end The offset after the last unit that is drawn.
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {number} baseline The distance of the baseline from the top of the text's frame.
 * @property {boolean} ellipsis Whether the text is cut at `end`.
 * @property {boolean} hyphen Whether a hyphen follows.
 * @property {boolean} rightToLeft Whether the paragraph of the line runs from right to left.
 */

/**
 * A part of a text with a font of its own. Offsets are those of lines.
 *
 * @typedef {object} Run
 * @property {number} start
 * @property {number} end
 * @property {string} font The name of the font in the cells file.
 */

/**
 * A part of a run in a line that has an address, a kind or an attachment. Offsets are those of lines, lengths are in points, in
 * the coordinates of the text's frame.
 *
 * @typedef {object} Span
 * @property {number} line The number of the line.
 * @property {number} start
 * @property {number} end
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height That of the line, or that of the attachment.
 * @property {string} url What it leads to, or the address of the attachment; empty if the run has none.
 * @property {string} kind Such as `mention`; empty if the run has none.
 */

/**
 * A text as it is drawn.
 *
 * @typedef {object} Text
 * @property {string} node
 * @property {string} text
 * @property {Run[]} runs
 * @property {Line[]} lines
 * @property {Span[]} spans Its links, mentions and attachments, with a rectangle for each line that they are in. Tables of
 * earlier versions have none.
 * @property {number} pointSizeScaleFactor The factor of the sizes of its fonts, which are then whole points; 1 for most texts, and
 * for tables of earlier versions.
 */

/**
 * The lines of the texts of lines.arrow and texts.arrow, which `galley layout --lines` writes. They are read from the bytes
 * of the files when they are asked for.
 */
export class Lines {
  /** @type {ArrowTable} */
  #lines
  /** @type {ArrowTable} */
  #texts

  /**
   * @param {ArrowTable} lines
   * @param {ArrowTable} texts
   */
  constructor(lines, texts) {
    this.#lines = lines
    this.#texts = texts
    requireRun(lines, texts, 'lines', 'texts')
    requireRowOrder(lines)
    requireRowOrder(texts)
  }

  /**
   * Reads lines.arrow and texts.arrow.
   *
   * @template {Buffer | string | URL} Source
   * @param {Source} lines The content of lines.arrow, which must not be changed afterwards, or its address, for which a
   * promise is returned.
   * @param {Source} texts The content of texts.arrow, or its address.
   * @returns {Source extends string | URL ? Promise<Lines> : Lines}
   */
  static fromArrow(lines, texts) {
    const read1 = read(lines, 'lines.arrow', (bytes, name) => readArrow(bytes, name, 'lines', {
      row: 'uint64', node: 'utf8', line: 'uint16', start: 'uint32', end: 'uint32', x: 'float32', y: 'float32',
      width: 'float32', height: 'float32', baseline: 'float32', ellipsis: 'bool', hyphen: 'bool', rightToLeft: 'bool',
    }))
    const read2 = read(texts, 'texts.arrow', (bytes, name) => readArrow(bytes, name, 'texts', {
      row: 'uint64', node: 'utf8', text: 'utf8', truncation: 'utf8',
      runs: { start: 'uint32', end: 'uint32', font: 'utf8' },
    }, {
      spans: {
        line: 'uint16', start: 'uint32', end: 'uint32', x: 'float32', y: 'float32', width: 'float32', height: 'float32',
        url: 'utf8', kind: 'utf8',
      },
      pointSizeScaleFactor: 'float32',
    }))
    /** @type {any} */
    const result = read1 instanceof Promise || read2 instanceof Promise
      ? Promise.all([read1, read2]).then(([lines, texts]) => new Lines(lines, texts))
      : new Lines(read1, read2)
    return result
  }

  /** The checksum of the frames of the run; null for tables of earlier versions. */
  get framesChecksum() {
    return this.#lines.framesChecksum
  }

  /**
   * Returns the texts of a row of the tables with their lines, in the order of the frames.
   *
   * @param {number} row
   * @returns {Text[]}
   */
  of(row) {
    const texts = []
    let { first: line, end } = recordsOf(this.#lines, row)
    for (let { first: index, end: last } = recordsOf(this.#texts, row); index < last; index += 1) {
      const node = this.#texts.string('node', index)
      const text = this.#texts.string('text', index)
      /** @type {Line[]} */
      const lines = []
      const next = this.#endOfText(line, end, node)
      // An empty text, which has no lines on most platforms, cannot have those of a longer one with the same name.
      while (line < next && this.#lines.number('end', next - 1) <= text.length) {
        lines.push(this.#line(line, text, index))
        line += 1
      }
      const spans = this.#texts.has('spans') ? this.#texts.records('spans', index) : []
      texts.push({ node, text, runs: this.#texts.records('runs', index), lines, spans, pointSizeScaleFactor: this.#factor(index) })
    }
    return texts
  }

  /**
   * Returns the index behind the lines of a text. Texts of one name may follow each other: the lines of each begin with line 0.
   *
   * @param {number} first The index of its first line.
   * @param {number} rowEnd The index behind the lines of the row.
   * @param {string} node
   */
  #endOfText(first, rowEnd, node) {
    let line = first
    while (line < rowEnd && this.#lines.number('line', line) === line - first && this.#lines.string('node', line) === node) line += 1
    return line
  }

  /** @param {number} index */
  #factor(index) {
    const factor = this.#texts.has('pointSizeScaleFactor') ? this.#texts.number('pointSizeScaleFactor', index) : 1
    // A null is that of a row that an earlier version has laid out. A factor is a multiple of 1/10,000.
    return Number.isNaN(factor) ? 1 : Math.round(factor * 10_000) / 10_000
  }

  /**
   * Returns the characters of each line of a row's first text with a name.
   *
   * @param {number} row
   * @param {string} node
   */
  lines(row, node) {
    return this.of(row).find((text) => text.node === node)?.lines.map(({ characters }) => characters) ?? []
  }

  /**
   * @param {number} index
   * @param {string} text
   * @param {number} textIndex
   * @returns {Line}
   */
  #line(index, text, textIndex) {
    /** @param {string} column */
    const value = (column) => this.#lines.number(column, index)
    const [start, end] = [value('start'), value('end')]
    const [ellipsis, hyphen] = [value('ellipsis') === 1, value('hyphen') === 1]
    const last = hyphen ? '\u2010' : ellipsis ? this.#texts.string('truncation', textIndex) : ''
    return {
      characters: text.slice(start, end) + last, start, end, x: value('x'), y: value('y'), width: value('width'),
      height: value('height'), baseline: value('baseline'), ellipsis, hyphen, rightToLeft: value('rightToLeft') === 1,
    }
  }
}
