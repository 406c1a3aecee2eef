// Drawing a cell in a web page from its frames and lines.

import { isHorizontal } from './axis.js'
import { cellMarkup } from './cellmarkup.js'

/** @typedef {import('./cellmarkup.js').CellData} CellData */
/** @typedef {import('./markup.js').Markup} Markup */

/**
 * Draws a row's cell into an element, in place of what is in it: an element at the place of each frame, texts line by line,
 * images and links. The element must be positioned, and gets the height of the row. Fonts are classes.
 *
 * @param {number} row The row of the list.
 * @param {HTMLElement} element
 * @param {CellData} data
 */
export function draw(row, element, data) {
  const elements = cellMarkup(row, data).map(elementOf)
  element.style[isHorizontal(data.heights.axis) ? 'width' : 'height'] = `${data.heights.heightOf(row)}px`
  element.replaceChildren(...elements)
}

/**
 * @param {Markup} markup
 * @returns {HTMLElement}
 */
function elementOf({ name, attributes, style, children }) {
  const element = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
  // The security policy of a page can forbid the attribute `style`, but not this property.
  element.style.cssText = style
  element.append(...children.map((child) => typeof child === 'string' ? child : elementOf(child)))
  return element
}
