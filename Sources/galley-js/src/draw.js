// Drawing a cell in a web page from its frames and lines.

import { isHorizontal } from './axis.js'
import { shown } from './checks.js'
import { textElements } from './drawtext.js'

/** @typedef {import('./frames.js').Frame} Frame */
/** @typedef {import('./frames.js').Frames} Frames */
/** @typedef {import('./heights.js').Heights} Heights */
/** @typedef {import('./lines.js').Lines} Lines */
/** @typedef {import('./lines.js').Text} Text */

/**
 * An image of a cell.
 *
 * @typedef {object} CellImage
 * @property {string} [src] Its address; that of the node in `heights.resources` if it is left out.
 * @property {string} [alt] What it shows, in words; none if it is left out, for an image that only decorates.
 */

/**
 * The tables that a cell is drawn from, and what the tables do not have.
 *
 * @typedef {object} CellData
 * @property {Heights} heights The heights of the list. Network images are drawn if it has `resources`.
 * @property {Frames} frames
 * @property {Lines} lines
 * @property {Record<string, CellImage>} [images] The images of nodes by name, in any element.
 * @property {Record<string, string>} [links] The addresses that nodes lead to, by name.
 * @property {'visible' | 'display' | 'preload'} [range] The range of `prefetch` in which the row is. Images of visible rows
 * and of the display range load at once, others when the browser finds that they are near.
 */

/** The protocols of links. A row's data must not be able to run a script with `javascript:`. */
const LINK_PROTOCOLS = ['http:', 'https:', 'mailto:', 'tel:']

const IMAGE_TYPES = ['networkImage', 'multiplexImage']

/**
 * Draws a row's cell into an element, in place of what is in it: an element at the place of each frame, texts line by line,
 * images and links. The element must be positioned, and gets the height of the row. Fonts are classes.
 *
 * @param {number} row The row of the list.
 * @param {HTMLElement} element
 * @param {CellData} data
 */
export function draw(row, element, data) {
  requireTables(data)
  const { heights, frames, lines, links = {} } = data
  const tableRow = heights.tableRowOf(row)
  if (tableRow < 0) {
    throw new RangeError(`Row ${row} was inserted or updated after the tables were read, which have no frames for it. `
      + 'Lay it out and read the tables again, or draw it without them')
  }
  const cellFrames = frames.of(tableRow)
  const texts = lines.of(tableRow)
  const sources = sourcesOf(tableRow, data)
  /** @type {HTMLElement[]} */
  const boxes = []
  /** @type {HTMLElement[]} */
  const outermost = []
  for (const frame of cellFrames) {
    const parent = frame.parent < 0 ? null : cellFrames[frame.parent]
    const box = boxOf(frame, parent, links[frame.node])
    const image = imageOf(frame, sources, data)
    if (image !== null) box.append(image)
    if (frame.type === 'text') box.append(...textElements(textOf(frame, texts.shift(), row)))
    if (parent === null) outermost.push(box)
    else boxes[frame.parent].append(box)
    boxes.push(box)
  }
  element.style[isHorizontal(heights.axis) ? 'width' : 'height'] = `${heights.heightOf(row)}px`
  element.replaceChildren(...outermost)
}

/** @param {CellData} data */
function requireTables({ heights, frames, lines }) {
  for (const [name, table] of Object.entries({ heights, frames, lines })) {
    if (typeof table !== 'object' || table === null || table instanceof Promise) {
      throw new TypeError(`Pass what fromArrow returned for ${name}, awaited if it was a promise, not ${shown(table)}`)
    }
  }
}

/**
 * Returns the address of the image of each node.
 *
 * @param {number} tableRow
 * @param {CellData} data
 */
function sourcesOf(tableRow, { heights }) {
  /** @type {Map<string, string>} */
  const sources = new Map()
  for (const { node, url, type } of heights.resources?.of(tableRow) ?? []) {
    // A node with several addresses has the best first.
    if (IMAGE_TYPES.includes(type) && !sources.has(node)) sources.set(node, url)
  }
  return sources
}

/**
 * Returns the element at the place of a frame.
 *
 * @param {Frame} frame
 * @param {Frame | null} parent
 * @param {string | undefined} link
 */
function boxOf({ node, type, x, y, width, height }, parent, link) {
  const box = link !== undefined && isLink(link) ? anchorTo(link) : document.createElement('div')
  box.dataset.node = node
  box.dataset.type = type
  const [left, top] = parent === null ? [x, y] : [x - parent.x, y - parent.y]
  box.style.cssText = `position:absolute;box-sizing:border-box;left:${left}px;top:${top}px;width:${width}px;height:${height}px`
  return box
}

/** @param {string} address */
function anchorTo(address) {
  const anchor = document.createElement('a')
  anchor.href = address
  return anchor
}

/** @param {string} address */
function isLink(address) {
  try {
    return LINK_PROTOCOLS.includes(new URL(address, document.baseURI).protocol)
  } catch {
    return false
  }
}

/**
 * Returns the image of a frame, or null if it has none.
 *
 * @param {Frame} frame
 * @param {Map<string, string>} sources
 * @param {CellData} data
 */
function imageOf({ node }, sources, { images = {}, range }) {
  const { src = sources.get(node), alt = '' } = images[node] ?? {}
  if (src === undefined) return null
  const image = document.createElement('img')
  image.alt = alt
  image.decoding = 'async'
  // Before the address: an image without it begins to load at once.
  image.loading = range === 'visible' || range === 'display' ? 'eager' : 'lazy'
  image.style.cssText = 'display:block;width:100%;height:100%;object-fit:cover'
  image.src = src
  return image
}

/**
 * @param {Frame} frame
 * @param {Text | undefined} text
 * @param {number} row
 * @returns {Text}
 */
function textOf({ node }, text, row) {
  if (text?.node === node) return text
  throw new Error(`Row ${row} has the text ${node} in frames.arrow, where texts.arrow has ${text?.node ?? 'none'}. `
    + 'Read both from one directory that galley layout --lines wrote')
}
