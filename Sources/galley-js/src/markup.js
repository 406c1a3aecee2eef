// The description of elements of a page, from which `draw` makes elements and `cellHTML` a string.

/**
 * An element.
 *
 * @typedef {object} Markup
 * @property {string} name The name of the element, such as `div`.
 * @property {Record<string, string>} attributes Its attributes but for `style`.
 * @property {string} style The declarations of its attribute `style`.
 * @property {(Markup | string)[]} children Elements and texts.
 */

/**
 * Returns the description of an element.
 *
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {string} style
 * @param {(Markup | string)[]} [children]
 * @returns {Markup}
 */
export function markup(name, attributes, style, children = []) {
  return { name, attributes, style, children }
}
