// A cell as elements: one for each node of the table, and in a text one for each line. Elements are used again for the
// next cell.

import { make } from './elements.js'
import { variationOf } from './fonts.js'
import { grouped } from './format.js'

/** @typedef {import('./server.js').CellNode} CellNode */
/** @typedef {import('./server.js').Line} Line */

/** The height of the strut of a line in font sizes. It is greater than the ascent of any font. */
const STRUT = 2
const HUES = 360
/** The blocks of letters that run from right to left (UAX #9). */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
/** The greatest number of nodes and lines of a cell that are drawn. More would stop the page while they are. */
export const MAX_DRAWN = 2000

/** @type {Record<string, string>} */
const KINDS = {
  text: 'text', button: 'button', image: 'media', networkImage: 'media', multiplexImage: 'media', video: 'media',
  videoPlayer: 'media',
}

/** @type {WeakMap<Element, { view: CellView, index: number }>} */
const places = new WeakMap()

/**
 * Returns the view and the index of the node that an element shows.
 *
 * @param {EventTarget | null} target
 */
export function nodeAt(target) {
  const element = target instanceof Element ? target.closest('.node') : null
  return element === null ? null : places.get(element) ?? null
}

/**
 * Returns the number of elements that a cell needs.
 *
 * @param {import('./server.js').Cell | null} cell
 */
export function elementCount(cell) {
  let count = 1
  if (cell === null) return count
  for (const { lines } of cell.nodes) {
    count += 1 + lines.length
    for (const { runs } of lines) if (runs.length > 1) count += runs.length
  }
  return count
}

/** The elements of one cell. */
export class CellView {
  constructor() {
    this.element = make('div', { class: 'cell', role: 'gridcell' })
    /** @type {HTMLElement[]} */
    this.nodes = []
    /**
     * The cell that is shown.
     *
     * @type {import('./server.js').Cell | null}
     */
    this.cell = null
    /**
     * The variant of the cell.
     *
     * @type {import('./server.js').Variant | null}
     */
    this.variant = null
    /** The number of nodes and lines that are drawn. */
    this.drawn = 0
    /** The note of a cell that is not drawn completely. It stays in the viewport. */
    this.note = make('div', { class: 'undrawn' })
    /** Whether images are loaded. */
    this.loadsImages = false
  }

  /**
   * Sets the place of the cell in its row.
   *
   * @param {import('./server.js').Variant} variant
   * @param {number} column
   * @param {number} left
   * @param {number} height
   * @param {number} rowHeight The height of the row, which is that of its tallest cell.
   */
  place(variant, column, left, height, rowHeight) {
    this.variant = variant
    this.element.style.cssText = `left:${left}px;width:${variant.width}px;height:${height}px;--rest:${rowHeight - height}px`
    this.element.setAttribute('aria-colindex', String(column + 1))
    this.element.dataset.variant = variant.name
  }

  /** Shows the place of a cell that has not arrived. */
  clear() {
    if (this.cell === null && this.element.classList.contains('waiting')) return
    this.cell = null
    this.drawn = 0
    this.element.className = 'cell waiting'
    this.element.removeAttribute('aria-label')
    this.#keepNodes(0)
    this.note.remove()
  }

  /**
   * Shows a cell.
   *
   * @param {import('./server.js').Cell} cell
   * @param {number} maxDrawn The greatest number of nodes and lines that are drawn.
   */
  show(cell, maxDrawn) {
    this.cell = cell
    this.element.className = cell.error === null ? 'cell' : 'cell bad'
    this.element.setAttribute('aria-label', description(cell))
    const { nodes } = cell
    let [count, rest] = [0, maxDrawn]
    for (; count < nodes.length && rest > 0; count += 1) {
      this.#showNode(nodes[count], count, rest - 1)
      rest -= 1 + nodes[count].lines.length
    }
    this.#keepNodes(count)
    const total = nodes.reduce((sum, { lines }) => sum + 1 + lines.length, 0)
    this.drawn = Math.min(total, maxDrawn)
    this.note.textContent = `${grouped(this.drawn)} of ${grouped(total)} nodes and lines are drawn`
    if (total > this.drawn) this.element.append(this.note)
    else this.note.remove()
  }

  /** @param {number} count */
  #keepNodes(count) {
    while (this.nodes.length > count) this.nodes.pop()?.remove()
  }

  /** @param {CellNode} node @param {number} index @param {number} maxLines */
  #showNode(node, index, maxLines) {
    let element = this.nodes[index]
    if (element === undefined) {
      element = make('div')
      places.set(element, { view: this, index })
      this.nodes.push(element)
      this.element.append(element)
    }
    const kind = KINDS[node.type] ?? 'box'
    element.className = `node ${kind}`
    element.dataset.node = node.name
    let style = `left:${node.x}px;top:${node.y}px;width:${node.width}px;height:${node.height}px`
    if (kind === 'media') style += this.#mediaStyle(node, element)
    const { line_count: lineCount } = node
    if (node.lines.length === 0 && lineCount > 0) {
      element.classList.add('unread')
      style += `;--lines:${lineCount}`
    }
    if (node.truncated) element.classList.add('truncated')
    element.style.cssText = style
    showLines(element, node, maxLines)
  }

  /** @param {CellNode} node @param {HTMLElement} element */
  #mediaStyle(node, element) {
    element.dataset.size = `${rounded(node.width)} × ${rounded(node.height)}`
    if (node.width < 96 || node.height < 48) element.classList.add('small')
    if (node.type.startsWith('video')) element.classList.add('video')
    const image = this.loadsImages && node.url !== null && /^https?:/.test(node.url)
      ? `;background-image:url(${JSON.stringify(node.url)})` : ''
    if (image !== '') element.classList.add('loaded')
    return `;--hue:${hue(node.url ?? node.name)}${image}`
  }
}

/** @param {HTMLElement} element @param {CellNode} node @param {number} maxLines */
function showLines(element, node, maxLines) {
  const lines = node.lines.slice(0, maxLines)
  while (element.children.length > lines.length) element.lastChild?.remove()
  for (let index = 0; index < lines.length; index += 1) {
    let child = /** @type {HTMLElement | undefined} */ (element.children[index])
    if (child === undefined) {
      child = make('div', { class: 'line' })
      element.append(child)
    }
    showLine(child, lines[index], node)
  }
}

/** @param {HTMLElement} element @param {Line} line @param {CellNode} node */
function showLine(element, line, node) {
  const [first] = line.runs
  const size = Math.max(...line.runs.map((run) => run.size), 1)
  const left = line.x - node.x
  const top = line.baseline - node.y - STRUT * size
  element.style.cssText = `left:${left}px;top:${top}px;font-size:${size}px`
  if (line.right_to_left) {
    // The line begins at its right edge, which must not move when the font arrives.
    element.style.direction = 'rtl'
    element.style.width = `${line.width}px`
  }
  if (line.justified) {
    element.style.minWidth = `${line.width}px`
    element.style.textAlignLast = 'justify'
    element.style.setProperty('text-justify', 'inter-word')
  }
  // In an override of another line, letters that run from right to left have level 0, and others level 1.
  const hasDirections = line.right_to_left || line.runs.some(({ text, level }) => level || RIGHT_TO_LEFT.test(text))
  if (line.runs.length === 1 && !hasDirections && first.attachment_width === null) {
    element.textContent = first.text
    styleRun(element, first)
    return
  }
  if (hasDirections) element.style.unicodeBidi = 'bidi-override'
  element.replaceChildren(...(hasDirections ? directedSpans(line.runs, line.right_to_left ? 1 : 0) : line.runs.map(runSpan)))
}

/** @param {import('./server.js').Run} run */
function runSpan(run) {
  const span = make('span', {}, run.text)
  span.style.fontSize = `${run.size}px`
  styleRun(span, run)
  if (run.attachment_width !== null) {
    span.style.display = 'inline-block'
    span.style.width = `${run.attachment_width}px`
  }
  return span
}

/**
 * Returns runs of a line, those of higher levels in elements of their direction. The direction of what is at the ends of a
 * line depends on letters of other lines, so that the browser cannot find it.
 *
 * @param {import('./server.js').Run[]} runs
 * @param {number} level The level of the element around them.
 * @returns {HTMLElement[]}
 */
function directedSpans(runs, level) {
  const spans = []
  for (let index = 0; index < runs.length;) {
    let end = index
    while ((runs[end]?.level ?? level) > level) end += 1
    if (end > index) {
      const span = make('span', {}, ...directedSpans(runs.slice(index, end), level + 1))
      span.style.direction = level % 2 === 0 ? 'rtl' : 'ltr'
      span.style.unicodeBidi = 'bidi-override'
      spans.push(span)
      index = end
    } else {
      const run = runs[index]
      // The levels have the effect of characters that embed, override and isolate.
      const span = runSpan({ ...run, text: run.text.replace(/[\u202A-\u202E\u2066-\u2069]/g, '') })
      if (run.level === null) span.style.unicodeBidi = 'isolate'
      spans.push(span)
      index += 1
    }
  }
  return spans
}

/** @param {HTMLElement} element @param {import('./server.js').Run} run */
function styleRun(element, run) {
  const { style } = element
  style.fontFamily = `"${run.font}", sans-serif`
  style.fontWeight = String(run.weight)
  const variation = variationOf(run.font)
  if (variation !== null) style.fontVariationSettings = variation
  if (run.letter_spacing !== 0) style.letterSpacing = `${run.letter_spacing}px`
}

/** @param {import('./server.js').Cell} cell */
function description(cell) {
  const size = `${rounded(cell.width)} by ${rounded(cell.height)} points`
  if (cell.error !== null) return `Row ${cell.row}, ${cell.id}: ${cell.error}`
  const texts = cell.nodes.map(({ lines }) => lines.map(({ text }) => text).join(' ')).filter((text) => text !== '')
  return [`Row ${cell.row}, ${cell.id}, ${size}`, ...texts].join('. ')
}

/**
 * Returns a length in points with at most two decimals.
 *
 * @param {number} points
 */
export function rounded(points) {
  return String(Math.round(points * 100) / 100)
}

/**
 * Returns the hue of an image that is not loaded, so that neighbours can be told apart.
 *
 * @param {string} text
 */
function hue(text) {
  let hash = 0
  for (let index = 0; index < text.length; index += 1) hash = (hash * 31 + text.charCodeAt(index)) | 0
  return Math.abs(hash) % HUES
}
