// Elements of the pages. Texts are never taken for HTML.

/**
 * Returns a new element.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string>} [attributes] `class` and others.
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children)
  return element
}

/**
 * Returns a new element of SVG.
 *
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string | number>} attributes
 * @param {(Node | string)[]} children
 * @returns {SVGElementTagNameMap[Name]}
 */
export function makeSVG(name, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  element.append(...children)
  return element
}

/**
 * Returns the element of the page with an id.
 *
 * @template {Element} [Type=HTMLElement]
 * @param {string} id
 * @param {new (...parameters: any) => Type} [type]
 * @returns {Type}
 */
export function byId(id, type) {
  const element = document.getElementById(id)
  const expected = type ?? HTMLElement
  if (!(element instanceof expected)) throw new Error(`The page has no element #${id} of the expected type`)
  return /** @type {Type} */ (/** @type {unknown} */ (element))
}

/**
 * Sets the text of a node if it is another one, so that a selection of the user remains.
 *
 * @param {Node | null} node
 * @param {string} text
 */
export function setText(node, text) {
  if (node !== null && node.textContent !== text) node.textContent = text
}
