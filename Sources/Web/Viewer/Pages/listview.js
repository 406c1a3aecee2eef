// The list: a scroller in which only the rows near the viewport have elements.

import { CellView, elementCount } from './cellview.js'
import { ScrollMapping } from './scrollmapping.js'

/** The numbers of viewports that are drawn ahead of the viewport in the direction of travel, and behind it. */
const AHEAD = 1
const BEHIND = 0.5
/** The greatest number of elements of all cells. The rest of the page has at most a few hundred. */
const MAX_ELEMENTS = 1500
/** The greatest number of rows without use whose elements are kept. */
const MAX_UNUSED = 64
/** The time for drawing cells in one frame, in milliseconds. */
const DRAWING_MILLISECONDS = 6
/** The distance from the origin of the rows' coordinates at which it is moved. Small coordinates are exact. */
const MAX_COORDINATE = 100_000
/** The time without scrolling after which the scroll bar's thumb is put where it belongs, in milliseconds. */
const SETTLE_MILLISECONDS = 200
/** The speed, in viewports a frame, above which cells are not asked for: they would be gone when they arrive. */
const MAX_REQUEST_SPEED = 1.5
/** The space between columns, and on their left for the numbers of rows, in CSS pixels. */
export const COLUMN_GAP = 24
export const GUTTER = 64
/** The width of a page below which it is drawn for a phone. */
export const NARROW = 700

/** The elements of one row. */
class RowView {
  constructor() {
    this.element = document.createElement('div')
    this.element.className = 'row'
    this.element.setAttribute('role', 'row')
    /** @type {CellView[]} */
    this.cells = []
    this.row = -1
    this.isPlaced = false
  }
}

/**
 * @typedef {object} Model What the list shows.
 * @property {import('./server.js').ListInfo} list
 * @property {import('./server.js').Variant[]} variants The chosen variants.
 * @property {import('./rowheights.js').RowHeights} rowHeights
 * @property {import('./cellstore.js').CellStore} store
 */

/** @typedef {{ row: number, inside: number }} Anchor A row at the viewport's top, and how much of it is above. */

export class ListView {
  /**
   * @param {HTMLElement} scroller
   * @param {HTMLElement} header
   */
  constructor(scroller, header) {
    this.scroller = scroller
    this.header = header
    this.spacer = scroller.appendChild(Object.assign(document.createElement('div'), { className: 'spacer' }))
    this.container = scroller.appendChild(Object.assign(document.createElement('div'), { className: 'rows' }))
    /** @type {Model | null} */
    this.model = null
    this.mapping = new ScrollMapping(0, 0)
    /**
     * The rows that have elements.
     *
     * @type {Map<number, RowView>}
     */
    this.views = new Map()
    /** @type {RowView[]} */
    this.unused = []
    /** The offset that is 0 in the coordinates of rows. */
    this.origin = 0
    /** @type {'down' | 'up'} */
    this.direction = 'down'
    this.speed = 0
    this.lastDrawnOffset = 0
    this.isBarHeld = false
    this.isScheduled = false
    this.settleTimer = 0
    this.selected = -1
    /** @type {number[]} */
    this.lefts = []
    /**
     * The row to go to as soon as its offset is known.
     *
     * @type {Anchor | undefined}
     */
    this.pending = undefined
    /**
     * Called after each drawing.
     *
     * @type {() => void}
     */
    this.onDraw = () => {}
    scroller.addEventListener('scroll', () => this.#scrolled(), { passive: true })
    scroller.addEventListener('pointerdown', (event) => {
      this.isBarHeld = event.target === scroller && event.offsetX >= scroller.clientWidth
    })
    for (const event of ['wheel', 'touchstart', 'keydown', 'pointerup']) {
      scroller.addEventListener(event, () => { this.isBarHeld = false }, { passive: true })
    }
    new ResizeObserver(() => this.#resized()).observe(scroller)
  }

  get viewport() {
    return this.scroller.clientHeight
  }

  get offset() {
    return this.mapping.offset
  }

  /** Whether the page is as narrow as that of a phone. */
  get isNarrow() {
    return this.scroller.clientWidth < NARROW
  }

  /** The heights of the rows, or null before a list is shown. */
  get heights() {
    return this.model?.rowHeights.heights ?? null
  }

  // What is shown

  /**
   * Shows a list, with a row at the viewport's top.
   *
   * @param {Model} model
   * @param {Anchor} anchor
   */
  show(model, anchor) {
    this.#releaseAll()
    this.model = model
    this.pending = anchor
    model.store.onCells = () => this.schedule()
    this.scroller.setAttribute('aria-rowcount', String(model.list.rows))
    this.scroller.setAttribute('aria-colcount', String(model.variants.length))
    this.scroller.dataset.generation = String(model.list.generation)
    if (this.selected >= model.list.rows) this.selected = -1
    this.#arrangeColumns()
    this.#measure()
    this.schedule()
  }

  /** Takes notice of heights that have arrived. */
  heightsChanged() {
    this.#measure()
    this.schedule()
  }

  /**
   * The row at the viewport's top.
   *
   * @returns {Anchor}
   */
  get anchor() {
    if (this.pending !== undefined) return this.pending
    const heights = this.heights
    if (heights === null || heights.length === 0) return { row: 0, inside: 0 }
    const row = Math.max(heights.rowAt(this.offset), 0)
    return { row, inside: this.offset - heights.offsetOf(row) }
  }

  /**
   * Goes to a row.
   *
   * @param {number} row
   * @param {number} [inside] How much of the row is above the viewport.
   */
  goToRow(row, inside = 0) {
    this.pending = { row, inside }
    this.#measure()
    this.schedule()
  }

  /** @param {number} offset */
  goToOffset(offset) {
    this.pending = undefined
    this.#jump(offset)
    this.schedule()
  }

  /**
   * Selects a row without scrolling.
   *
   * @param {number} row
   */
  mark(row) {
    this.views.get(this.selected)?.element.classList.remove('selected')
    this.selected = row
    this.views.get(row)?.element.classList.add('selected')
    this.scroller.setAttribute('aria-activedescendant', `row-${row}`)
  }

  /**
   * Selects a row, and scrolls until it can be seen.
   *
   * @param {number} row
   */
  select(row) {
    const { heights } = this
    if (heights === null || row < 0 || row >= heights.length) return
    this.mark(row)
    const top = heights.offsetOf(row)
    const end = top + heights.heightOf(row)
    if (top < this.offset || end - top > this.viewport) this.goToRow(row)
    else if (end > this.offset + this.viewport) this.goToOffset(end - this.viewport)
    this.schedule()
  }

  // Scrolling

  #scrolled() {
    const position = this.scroller.scrollTop
    this.header.style.transform = `translateX(${-this.scroller.scrollLeft}px)`
    if (position !== this.mapping.position) {
      this.pending = undefined
      const before = this.offset
      this.mapping.scrollTo(position, this.isBarHeld)
      if (this.offset !== before) this.direction = this.offset > before ? 'down' : 'up'
      if (this.mapping.isFarOff) this.#settle()
    }
    this.schedule()
    clearTimeout(this.settleTimer)
    this.settleTimer = window.setTimeout(() => this.#settle(), SETTLE_MILLISECONDS)
  }

  /** Puts the scroll bar's thumb where it belongs, without moving the list. */
  #settle() {
    if (this.mapping.isScaled) this.#jump(this.offset)
    this.schedule()
  }

  /** @param {number} offset */
  #jump(offset) {
    const position = this.mapping.jumpTo(offset)
    if (this.scroller.scrollTop !== position) this.scroller.scrollTop = position
    // Browsers round positions to device pixels.
    this.mapping.position = this.scroller.scrollTop
    this.#placeContainer()
  }

  #resized() {
    this.#arrangeColumns()
    this.#measure()
    for (const view of this.views.values()) view.isPlaced = false
    this.schedule()
  }

  /** Sets the height of the scrolled element, and goes to the row that is to be at the top. */
  #measure() {
    const { model, viewport } = this
    if (model === null) return
    const { rowHeights } = model
    const size = rowHeights.size
    if (size !== this.mapping.size || viewport !== this.mapping.viewport) {
      const { offset } = this
      this.mapping = new ScrollMapping(size, viewport)
      // Browsers round the height of an element differently at different positions.
      this.spacer.style.height = `${Math.ceil(this.mapping.scrollHeight)}px`
      this.#jump(offset)
    }
    this.scroller.classList.toggle('unmeasured', !rowHeights.isSizeKnown)
    const anchor = this.pending
    const { heights } = rowHeights
    if (anchor !== undefined && anchor.row < heights.length && (rowHeights.isSizeKnown || anchor.row === 0)) {
      this.pending = undefined
      this.#jump(heights.offsetOf(anchor.row) + Math.min(anchor.inside, heights.heightOf(anchor.row)))
    }
  }

  #arrangeColumns() {
    const { model } = this
    if (model === null) return
    const gutter = this.isNarrow ? 0 : GUTTER
    const total = model.variants.reduce((sum, { width }) => sum + width + COLUMN_GAP, -COLUMN_GAP) + 2 * gutter
    let left = Math.max((this.scroller.clientWidth - total) / 2, 0) + gutter
    this.lefts = model.variants.map(({ width }) => {
      const result = left
      left += width + COLUMN_GAP
      return Math.round(result)
    })
    this.spacer.style.width = `${this.isNarrow ? left - COLUMN_GAP : total}px`
    this.header.replaceChildren(...model.variants.map((variant, index) => {
      const label = document.createElement('div')
      label.className = 'column'
      label.textContent = variantLabel(variant)
      label.style.cssText = `left:${this.lefts[index]}px;width:${variant.width}px`
      return label
    }))
  }

  // Drawing

  schedule() {
    if (this.isScheduled) return
    this.isScheduled = true
    requestAnimationFrame(() => {
      this.isScheduled = false
      this.#draw()
    })
  }

  #draw() {
    const { model, offset, viewport } = this
    if (model === null) return
    this.speed = Math.abs(offset - this.lastDrawnOffset) / Math.max(viewport, 1)
    this.lastDrawnOffset = offset
    this.#placeContainer()
    const rows = this.#rowsByNeed(model)
    const wanted = new Set(rows)
    for (const [row, view] of this.views) {
      if (wanted.has(row)) continue
      this.#release(view)
      this.views.delete(row)
    }
    if (rows.length === 0) return
    if (this.speed <= MAX_REQUEST_SPEED) model.store.need(model.variants.map(({ name }) => name), rows)
    else this.schedule()
    const start = performance.now()
    for (const row of rows) {
      this.#drawRow(row, model)
      if (performance.now() - start > DRAWING_MILLISECONDS) {
        this.schedule()
        break
      }
    }
    this.scroller.dataset.offset = String(offset)
    this.onDraw()
  }

  /** Moves the rows to where the scroll bar is. Rows that are far away could stand out of the scrolled element. */
  #placeContainer() {
    if (Math.abs(this.offset - this.origin) > MAX_COORDINATE) {
      this.origin = Math.floor(this.offset)
      this.#releaseAll()
    }
    this.container.style.transform = `translateY(${this.origin - this.mapping.base}px)`
  }

  /**
   * Returns the rows to draw: those of the viewport, then those ahead and behind, as long as there are not too many
   * elements. Rows without height are left out.
   *
   * @param {Model} model
   */
  #rowsByNeed(model) {
    const { offset, viewport } = this
    const { heights } = model.rowHeights
    /** @type {number[]} */
    const rows = []
    if (heights.length === 0) return rows
    let budget = MAX_ELEMENTS
    /** @param {number} row */
    const add = (row) => {
      budget -= 1
      for (const { name } of model.variants) budget -= elementCount(model.store.cell(name, row))
      if (budget > 0) rows.push(row)
      return budget > 0
    }
    const first = heights.rowAt(offset)
    let next = first
    let end = offset
    /** @param {number} until */
    const addBelow = (until) => {
      while (next < heights.length && end < until && add(next)) {
        end = heights.offsetOf(next) + heights.heightOf(next)
        next = end < heights.size ? heights.rowAt(end) : heights.length
      }
    }
    let top = heights.offsetOf(first)
    /** @param {number} until */
    const addAbove = (until) => {
      while (top > 0 && top > until) {
        const row = heights.rowAt(justBelow(top))
        if (!add(row)) break
        top = heights.offsetOf(row)
      }
    }
    const isDown = this.direction === 'down'
    addBelow(offset + viewport)
    if (isDown) addBelow(offset + (1 + AHEAD) * viewport)
    addAbove(offset - (isDown ? BEHIND : AHEAD) * viewport)
    if (!isDown) addBelow(offset + (1 + BEHIND) * viewport)
    return rows
  }

  /** @param {number} row @param {Model} model */
  #drawRow(row, model) {
    const view = this.#viewOf(row, model)
    const { rowHeights, store, variants } = model
    if (!view.isPlaced) {
      view.isPlaced = true
      const { heights } = rowHeights
      const top = heights.offsetOf(row)
      const height = heights.heightOf(row)
      view.element.style.cssText = `top:${top - this.origin}px;height:${height}px`
      view.element.style.setProperty('--left', `${this.lefts[0] ?? 0}px`)
      variants.forEach((variant, index) => {
        view.cells[index].place(variant, index, this.lefts[index], rowHeights.cellHeight(index, row), height)
      })
      const hidden = row - (top === 0 ? 0 : heights.rowAt(justBelow(top)) + 1)
      if (hidden > 0) view.element.dataset.hidden = hidden === 1 ? '1 row of height 0' : `${hidden} rows of height 0`
      else delete view.element.dataset.hidden
    }
    variants.forEach((variant, index) => {
      const cell = store.cell(variant.name, row)
      if (cell === null) view.cells[index].clear()
      else view.cells[index].show(cell)
    })
  }

  /** @param {number} row @param {Model} model */
  #viewOf(row, model) {
    const shown = this.views.get(row)
    if (shown !== undefined) return shown
    const view = this.unused.pop() ?? new RowView()
    view.row = row
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

  #releaseAll() {
    for (const view of this.views.values()) this.#release(view)
    this.views.clear()
  }

  /**
   * Keeps the elements of a row for another one. They are taken out of the page, because an element that moves within it
   * counts as a shift of the layout.
   *
   * @param {RowView} view
   */
  #release(view) {
    for (const cell of view.cells) cell.cell = null
    view.element.remove()
    if (this.unused.length < MAX_UNUSED) this.unused.push(view)
  }
}

/** @param {import('./server.js').Variant} variant */
export function variantLabel({ width, text_scale: textScale, scale }) {
  const parts = [`${width} pt`]
  if (textScale !== 1) parts.push(`text ×${textScale}`)
  if (scale !== 2) parts.push(`@${scale}x`)
  return parts.join(' · ')
}

/** @param {number} number */
function justBelow(number) {
  return number * (1 - Number.EPSILON / 2)
}
