// The HTML of cells, as a string that a server sends.

import { cellMarkup } from './cellmarkup.js'

/** @typedef {import('./cellmarkup.js').CellData} CellData */
/** @typedef {import('./markup.js').Markup} Markup */

/** The characters that end or change a text or a value in quotes. A parser makes a line feed of a carriage return. */
const SPECIAL = /[&<>"'\r]/g

/** The elements without an end tag. */
const VOID = ['img']

/**
 * Returns the HTML of what `draw` makes in the element of a row, without a document. All that is from the row is escaped.
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
  const tag = `<${name}${all.map(([attribute, value]) => ` ${attribute}="${escaped(value)}"`).join('')}>`
  if (VOID.includes(name)) return tag
  return `${tag}${children.map((child) => typeof child === 'string' ? escaped(child) : htmlOf(child)).join('')}</${name}>`
}

/** @param {string} text */
function escaped(text) {
  return text.replace(SPECIAL, (character) => `&#${character.charCodeAt(0)};`)
}
