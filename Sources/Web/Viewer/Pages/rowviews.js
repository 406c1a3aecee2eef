// The elements of the rows that are drawn.

import { CellView, MAX_DRAWN } from './cellview.js'
import { make } from './elements.js'
import { grouped } from './format.js'
import { rowAbove } from './rowsbyneed.js'

/** How much of the label of rows of height 0 is above the next row, in CSS pixels. */
export const LABEL_ABOVE = 9
/** The greatest number of rows without use whose elements are kept. */
const MAX_UNUSED = 64
/** The number of nodes and lines of all rows above which a cell is drawn only in part. With more, scrolling is not smooth. */
const MAX_DRAWN_OF_ROWS = 10_000
/** The number of nodes and lines of a cell that are always drawn, so that each cell can be recognized. */
const ALWAYS_DRAWN = 100

/** @typedef {import('./listview.js').Model} Model */

/** The elements of one row. */
class RowView {
  constructor() {
    this.element = make('div', { class: 'row', role: 'row' })
    /** @type {CellView[]} */
    this.cells = []
    this.isPlaced = false
  }
}

export class RowViews {
  /** @param {HTMLElement} container */
  constructor(container) {
    this.container = container
    /** The offset that is 0 in the coordinates of rows. */
    this.origin = 0
    /**
     * Where the cells of each variant begin, in CSS pixels.
     *
     * @type {number[]}
     */
    this.lefts = []
    this.selected = -1
    /** @type {Map<number, RowView>} */
    this.views = new Map()
    /** @type {RowView[]} */
    this.unused = []
  }

  /** @param {number} row */
  select(row) {
    this.views.get(this.selected)?.element.classList.remove('selected')
    this.selected = row
    this.views.get(row)?.element.classList.add('selected')
  }

  /** Has the rows put where they belong when they are drawn next. */
  displace() {
    for (const view of this.views.values()) view.isPlaced = false
  }

  /**
   * Draws a row.
   *
   * @param {number} row
   * @param {Model} model
   */
  draw(row, model) {
    const view = this.views.get(row) ?? this.#add(row, model)
    const { store, variants } = model
    if (!view.isPlaced) this.#place(view, row, model)
    variants.forEach((variant, index) => {
      const cell = store.cell(variant.name, row)
      const shown = view.cells[index]
      if (cell === null) shown.clear()
      else if (cell !== shown.cell) shown.show(cell, this.#maxDrawn(shown))
    })
  }

  /**
   * Returns the greatest number of nodes and lines of a cell that are drawn next to the other cells.
   *
   * @param {CellView} shown
   */
  #maxDrawn(shown) {
    let rest = MAX_DRAWN_OF_ROWS
    for (const { cells } of this.views.values()) for (const cell of cells) rest -= cell === shown ? 0 : cell.drawn
    return Math.max(ALWAYS_DRAWN, Math.min(rest, MAX_DRAWN))
  }

  /**
   * Removes the rows that are not among some.
   *
   * @param {Set<number>} rows
   */
  keep(rows) {
    for (const [row, view] of this.views) {
      if (rows.has(row)) continue
      this.#release(view)
      this.views.delete(row)
    }
  }

  /** Removes all rows. */
  clear() {
    this.keep(new Set())
  }

  /** @param {number} row @param {Model} model */
  #add(row, model) {
    const view = this.unused.pop() ?? new RowView()
    view.isPlaced = false
    const { element, cells } = view
    element.dataset.row = String(row)
    element.id = `row-${row}`
    element.setAttribute('aria-rowindex', String(row + 1))
    element.classList.toggle('selected', row === this.selected)
    while (cells.length < model.variants.length) {
      const cell = new CellView()
      cell.loadsImages = model.list.loads_images
      cells.push(cell)
      element.append(cell.element)
    }
    while (cells.length > model.variants.length) cells.pop()?.element.remove()
    this.container.append(element)
    this.views.set(row, view)
    return view
  }

  /** @param {RowView} view @param {number} row @param {Model} model */
  #place(view, row, { rowHeights, variants }) {
    view.isPlaced = true
    const { heights } = rowHeights
    const top = heights.offsetOf(row)
    const height = heights.heightOf(row)
    view.element.style.cssText = `top:${top - this.origin}px;height:${height}px`
    view.element.style.setProperty('--left', `${this.lefts[0] ?? 0}px`)
    variants.forEach((variant, index) => {
      view.cells[index].place(variant, index, this.lefts[index], rowHeights.cellHeight(index, row), height)
    })
    const [first, last] = [top === 0 ? 0 : rowAbove(heights, top) + 1, height === 0 ? row : row - 1]
    view.element.classList.toggle('empty', height === 0)
    view.element.classList.toggle('first', top === 0)
    if (first < last) view.element.dataset.hidden = `rows ${grouped(first)} – ${grouped(last)} have height 0`
    else if (first === last) view.element.dataset.hidden = `row ${grouped(first)} has height 0`
    else delete view.element.dataset.hidden
  }

  /**
   * Keeps the elements of a row for another one. They are taken out of the page, because an element that moves within it
   * counts as a shift of the layout.
   *
   * @param {RowView} view
   */
  #release(view) {
    for (const cell of view.cells) [cell.cell, cell.drawn] = [null, 0]
    view.element.remove()
    if (this.unused.length < MAX_UNUSED) this.unused.push(view)
  }
}
