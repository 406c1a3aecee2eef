// The description of a cell from its frames and lines: an element at the place of each frame, with texts, images and links.

import { oneOf, requireProperties, requireTables } from './checks.js'
import { isLink } from './links.js'
import { markup } from './markup.js'
import { textMarkup } from './textmarkup.js'

/** @typedef {import('./frames.js').Frame} Frame */
/** @typedef {import('./frames.js').Frames} Frames */
/** @typedef {import('./heights.js').Heights} Heights */
/** @typedef {import('./lines.js').Lines} Lines */
/** @typedef {import('./lines.js').Text} Text */
/** @typedef {import('./markup.js').Markup} Markup */

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

const RANGES = ['visible', 'display', 'preload']
const IMAGE_TYPES = ['networkImage', 'multiplexImage']

/**
 * Returns the elements of a row's cell that are in no other element of it.
 *
 * @param {number} row The row of the list.
 * @param {CellData} data
 */
export function cellMarkup(row, data) {
  const { heights, frames, lines, links = {}, range } = data
  requireTables({ heights, frames, lines })
  if (range !== undefined) oneOf(range, RANGES, 'The range of a row')
  const tableRow = tableRowOf(row, heights)
  const cellFrames = frames.of(tableRow)
  const texts = lines.of(tableRow)
  const sources = sourcesOf(tableRow, heights)
  /** @type {{ box: Markup, isInLink: boolean }[]} */
  const boxes = []
  /** @type {Markup[]} */
  const outermost = []
  for (const frame of cellFrames) {
    const parent = frame.parent < 0 ? null : cellFrames[frame.parent]
    const isParentInLink = parent !== null && boxes[frame.parent].isInLink
    // A node can be named as what every object has, such as `constructor`.
    const link = !isParentInLink && Object.hasOwn(links, frame.node) ? links[frame.node] : undefined
    const box = boxOf(frame, parent, link)
    const isInLink = isParentInLink || box.name === 'a'
    const image = imageOf(frame, sources, data)
    if (image !== null) box.children.push(image)
    if (frame.type === 'text') box.children.push(...textMarkup(textOf(frame, texts.shift(), row), isInLink))
    if (parent === null) outermost.push(box)
    else boxes[frame.parent].box.children.push(box)
    boxes.push({ box, isInLink })
  }
  return outermost
}

/**
 * Returns the row of the tables that a row of the list is.
 *
 * @param {number} row
 * @param {Heights} heights
 */
export function tableRowOf(row, heights) {
  const tableRow = heights.tableRowOf(row)
  if (tableRow >= 0) return tableRow
  throw new RangeError(`Row ${row} was inserted or updated after the tables were read, which have no frames for it. `
    + 'Lay it out and read the tables again, or draw it without them')
}

/**
 * Returns the address of the image of each node.
 *
 * @param {number} tableRow
 * @param {Heights} heights
 */
function sourcesOf(tableRow, heights) {
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
  const [left, top] = parent === null ? [x, y] : [x - parent.x, y - parent.y]
  const style = `position:absolute;box-sizing:border-box;left:${left}px;top:${top}px;width:${width}px;height:${height}px`
  const attributes = { 'data-node': node, 'data-type': type }
  return isLink(link) ? markup('a', { ...attributes, href: link }, style) : markup('div', attributes, style)
}

/**
 * Returns the image of a frame, or null if it has none.
 *
 * @param {Frame} frame
 * @param {Map<string, string>} sources
 * @param {CellData} data
 */
function imageOf({ node }, sources, { images = {}, range }) {
  const image = (Object.hasOwn(images, node) ? images[node] : undefined) ?? {}
  requireProperties(image, ['src', 'alt'], `the image of ${node}`)
  const { src = sources.get(node), alt = '' } = image
  if (src === undefined) return null
  const loading = range === 'visible' || range === 'display' ? 'eager' : 'lazy'
  // The address is the last attribute: an image without `loading` begins to load at once.
  return markup('img', { alt, decoding: 'async', loading, src }, 'display:block;width:100%;height:100%;object-fit:cover')
}

/**
 * @param {Frame} frame
 * @param {Text | undefined} text
 * @param {number} row
 * @returns {Text}
 */
function textOf({ node, lines }, text, row) {
  // A frame counts at most 65,535 lines.
  if (text?.node === node && Math.min(text.lines.length, 65535) === lines) return text
  throw new Error(
    (text?.node === node
      ? `Row ${row} has ${lines} line${lines === 1 ? '' : 's'} of the text ${node} in frames.arrow, where lines.arrow has ${text.lines.length}. `
      : `Row ${row} has the text ${node} in frames.arrow, where texts.arrow has ${text?.node ?? 'none'}. `)
    + 'Read both from one directory that galley layout --lines wrote')
}
