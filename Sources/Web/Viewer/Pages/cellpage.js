// The page of the panel about one cell: its frames, the tree of its layout, and why a frame is as it is.

import { rounded } from './cellview.js'
import { make } from './elements.js'
import { explanation, treeLine } from './explanation.js'
import { replaceContent } from './focus.js'
import { grouped } from './format.js'
import { isAborted, OldRevision } from './server.js'

/**
 * The greatest number of frames, of lines of the tree, and of findings about what does not fit that are listed. Other frames and lines
 * are listed when they are chosen, other findings never.
 */
const MAX_LISTED = 100

/**
 * @typedef {object} Selection
 * @property {import('./server.js').Cell} cell
 * @property {import('./server.js').Variant} variant
 * @property {number} node The index of the node, or -1 for the cell.
 * @property {import('./server.js').Server} server The server of the layout that the cell is of.
 */

/**
 * Returns the attributes of an element that can be scrolled, which the keyboard must reach.
 *
 * @param {string} label
 */
function scrolled(label) {
  return { tabindex: '0', role: 'group', 'aria-label': label }
}

/**
 * Returns the range of a list that is shown around its chosen item, and the title with the range.
 *
 * @param {string} title
 * @param {number} chosen
 * @param {number} length
 */
function listed(title, chosen, length) {
  const first = Math.max(0, Math.min(chosen - MAX_LISTED / 2, length - MAX_LISTED))
  const end = Math.min(first + MAX_LISTED, length)
  return { first, end, title: end - first < length ? `${title} ${grouped(first)} – ${grouped(end - 1)} of ${grouped(length)}` : title }
}

/** Shows the selected cell. */
export class CellPage {
  /**
   * @param {(node: number) => void} onNode Called when a node of the list of frames is chosen.
   */
  constructor(onNode) {
    this.onNode = onNode
    /** @type {Selection | null} */
    this.selection = null
    this.hasTexts = false
    this.following = new AbortController()
  }

  /**
   * Selects the cell of another layout that has the id of the selected one, or none if there is no such row or variant. Until the
   * cell is there, the page shows that of the earlier layout. Returns whether the selection has changed.
   *
   * @param {{ list: import('./server.js').ListInfo, server: import('./server.js').Server }} model
   */
  async follow({ list, server }) {
    this.following.abort()
    this.following = new AbortController()
    const old = this.selection
    if (old === null || old.server.revision === server.revision) return false
    const variant = list.variants.find(({ name }) => name === old.variant.name)
    const cell = variant === undefined ? null
      : await server.cellLike(variant.name, old.cell, list.rows, this.following.signal)
    // In the meantime, another node of the earlier cell may have been chosen, or a cell of this layout.
    const newest = this.selection
    if (newest === null || newest.server.revision === server.revision) return false
    this.selection = variant === undefined || cell === null ? null
      : { cell, variant, server, node: newest.node < cell.nodes.length ? newest.node : -1 }
    return true
  }

  /** @param {HTMLElement} element @param {AbortSignal} signal */
  async fill(element, signal) {
    const { selection } = this
    if (selection === null) {
      replaceContent(element, make('p', { class: 'hint' },
        'Click on a node of a cell, or press Enter on a row, to see its frames and where they are from.'))
      return
    }
    const { cell, variant, node, server } = selection
    const tree = make('div', { class: 'tree' })
    replaceContent(element, this.#head(cell, variant), this.#frames(cell, node), tree)
    const row = element.querySelector('tr.chosen')
    row?.scrollIntoView({ block: 'nearest' })
    if (!this.hasTexts) {
      tree.replaceChildren(make('p', { class: 'hint' },
        'Start galley view with --rows and --cells to see the texts, and the tree of the layout.'))
      return
    }
    try {
      /** @type {import('./server.js').Inspection} */
      const inspection = await server.json(
        `/inspect/${encodeURIComponent(variant.name)}/${cell.row}`, {}, signal)
      showTree(tree, inspection, node, cell.nodes[node]?.name ?? 'the cell')
    } catch (error) {
      // The cell of the new layout is shown soon.
      if (!isAborted(error) && !(error instanceof OldRevision)) tree.replaceChildren(make('p', { class: 'hint bad' }, String(error)))
    }
  }

  /** @param {import('./server.js').Cell} cell @param {import('./server.js').Variant} variant */
  #head(cell, variant) {
    const facts = [
      ['row', String(cell.row)], ['cell', cell.cell === '' ? 'inline layout' : cell.cell], ['variant', variant.name],
      ['size', `${rounded(cell.width)} × ${rounded(cell.height)} pt`], ['offset', `${rounded(cell.y)} pt`],
    ]
    const head = make('div', { class: 'head' }, make('h2', {}, cell.id),
      make('dl', {}, ...facts.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)])))
    for (const problem of [cell.error, cell.text_error]) {
      if (problem !== null && problem !== undefined) head.append(make('p', { class: 'problem' }, problem))
    }
    return head
  }

  /** @param {import('./server.js').Cell} cell @param {number} chosen */
  #frames(cell, chosen) {
    const { first, end, title } = listed('Frames', chosen, cell.nodes.length)
    const rows = cell.nodes.slice(first, end).map((node, offset) => {
      const index = first + offset
      const button = make('button', { type: 'button', value: String(index) }, node.name)
      button.addEventListener('click', () => this.onNode(index))
      const row = make('tr', index === chosen ? { class: 'chosen', 'aria-current': 'true' } : {},
        make('th', { scope: 'row' }, button), make('td', {}, node.type),
        ...[node.x, node.y, node.width, node.height].map((value) => make('td', { class: 'number' }, rounded(value))))
      if (node.truncated) row.append(make('td', { title: 'The text is cut.' }, '…'))
      return row
    })
    const names = ['node', 'type', 'x', 'y', 'width', 'height']
    return make('section', {}, make('h3', {}, title), make('div', { class: 'scrolled', ...scrolled('Frames') }, make('table', {},
      make('thead', {}, make('tr', {}, ...names.map((name, index) => make('th', index > 1 ? { class: 'number' } : {}, name)))),
      make('tbody', {}, ...rows))))
  }
}

/**
 * @param {HTMLElement} element
 * @param {import('./server.js').Inspection} inspection
 * @param {number} node The index of the chosen node, or -1 for the cell.
 * @param {string} name The name of what is chosen.
 */
function showTree(element, inspection, node, name) {
  const lines = inspection.tree.map(({ text }) => treeLine(text))
  const chosen = node < 0 ? 0 : inspection.tree.findIndex((line) => line.node === node)
  const sections = []
  const line = chosen < 0 ? null : lines[chosen]
  if (line !== null && line !== undefined) {
    let parent = null
    for (let index = chosen - 1; index >= 0 && parent === null; index -= 1) {
      const above = lines[index]
      if (above !== null && above.depth < line.depth) parent = above
    }
    sections.push(make('section', {}, make('h3', {}, `Why ${name} is as it is`),
      make('ul', { class: 'why' }, ...explanation(line, parent).map((sentence) => make('li', {}, sentence)))))
  }
  if (inspection.overflow.length > 0) {
    const { end, title } = listed('Overflow', 0, inspection.overflow.length)
    sections.push(make('section', {}, make('h3', {}, title),
      make('ul', { class: 'why bad' }, ...inspection.overflow.slice(0, end).map(({ message, path }) => make('li', {}, message ?? path)))))
  }
  if (inspection.error !== null && inspection.error !== undefined) {
    sections.push(make('p', { class: 'problem' }, inspection.error))
  }
  const { first, end: last, title } = listed('Layout tree', chosen, inspection.tree.length)
  const list = inspection.tree.slice(first, last).map(({ text, problem }, offset) => {
    const indent = /^ */.exec(text)?.[0].length ?? 0
    const content = text.slice(indent)
    const end = content.search(/ -?[\d.]+x/)
    const item = make('div', { class: 'line-of-tree' }, make('b', {}, end < 0 ? content : content.slice(0, end)),
      end < 0 ? '' : content.slice(end))
    item.style.paddingLeft = `${indent * 5 + 6}px`
    if (first + offset === chosen && node >= 0) item.classList.add('chosen')
    if (problem) {
      item.classList.add('bad')
      if (typeof problem === 'string') item.append(make('em', {}, problem))
    }
    return item
  })
  sections.push(make('section', {}, make('h3', {}, title), make('div', { class: 'scrolled code', ...scrolled('Layout tree') }, ...list)))
  if (inspection.ascii) {
    sections.push(make('details', {}, make('summary', {}, 'Box drawing'), make('pre', { class: 'scrolled', ...scrolled('Box drawing') }, inspection.ascii)))
  }
  element.replaceChildren(...sections)
}
