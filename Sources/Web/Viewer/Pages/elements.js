// Making elements of the page in few words.

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
 * Returns a number with separators between thousands.
 *
 * @param {number} number
 */
export function grouped(number) {
  return number.toLocaleString('en', { maximumFractionDigits: 1 })
}
