// The HTML of cells, as a string that a server sends.

import { cellMarkup } from './cellmarkup.js'

/** @typedef {import('./cellmarkup.js').CellData} CellData */
/** @typedef {import('./markup.js').Markup} Markup */

/**
 * The characters of texts and values that are written otherwise, as `innerHTML` of an element writes them. A carriage return would
 * become a line feed when it is parsed. A parser makes U+FFFD of U+0000 in a value, and removes it from a text.
 *
 * @type {Record<string, string>}
 */
const REFERENCES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\u00A0': '&nbsp;', '\r': '&#13;', '\0': '\uFFFD' }

/** The elements without an end tag. */
const VOID = ['img']

/**
 * Returns the HTML of what `draw` makes in the element of a row, without a document. All that is from the row is escaped. It is
 * what `innerHTML` returns of an element that was made of it, so that a page can go on with either.
 *
 * @param {number} row The row of the list.
 * @param {CellData} data
 */
export function cellHTML(row, data) {
  return cellMarkup(row, data).map(htmlOf).join('')
}

/**
 * @param {Markup} markup
 * @returns {string}
 */
export function htmlOf({ name, attributes, style, children }) {
  const all = Object.entries(style === '' ? attributes : { style, ...attributes })
  const tag = `<${name}${all.map(([attribute, value]) => ` ${attribute}="${escaped(value, /[&<>"\u00A0\r\0]/g)}"`).join('')}>`
  if (VOID.includes(name)) return tag
  const content = children.map((child) => typeof child === 'string'
    ? escaped(child.replaceAll('\0', ''), /[&<>\u00A0\r]/g) : htmlOf(child))
  return `${tag}${content.join('')}</${name}>`
}

/**
 * @param {string} text
 * @param {RegExp} special The characters that cannot stand for themselves.
 */
function escaped(text, special) {
  return text.replace(special, (character) => REFERENCES[character])
}
