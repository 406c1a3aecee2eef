// The list: a scroller in which only the rows near the viewport have elements.

import { arranged, variantLabel } from './columns.js'
import { make } from './elements.js'
import { rowsByNeed } from './rowsbyneed.js'
import { LABEL_ABOVE, RowViews } from './rowviews.js'
import { ScrollMapping } from './scrollmapping.js'

/** The time for drawing cells in one frame, in milliseconds. */
const DRAWING_MILLISECONDS = 6
/** The distance from the origin of the rows' coordinates at which it is moved. Small coordinates are exact. */
const MAX_COORDINATE = 100_000
/** The time without scrolling after which the scroll bar's thumb is put where it belongs, in milliseconds. */
const SETTLE_MILLISECONDS = 200
/** The speed, in viewports a frame, above which cells are not asked for: they would be gone when they arrive. */
const MAX_REQUEST_SPEED = 1.5
/** The width of a page below which it is drawn for a phone. */
const NARROW = 700

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
    this.spacer = scroller.appendChild(make('div', { class: 'spacer' }))
    this.container = scroller.appendChild(make('div', { class: 'rows' }))
    this.rows = new RowViews(this.container)
    /** @type {Model | null} */
    this.model = null
    this.mapping = new ScrollMapping(0, 0)
    /** @type {'down' | 'up'} */
    this.direction = 'down'
    this.speed = 0
    this.lastDrawnOffset = 0
    this.isBarHeld = false
    this.isScheduled = false
    this.settleTimer = 0
    /** @type {Anchor | { part: number } | undefined} The row or the part of the list to go to as soon as its offset is known. */
    this.pending = undefined
    /** @type {() => void} Called after each drawing. */
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

  /** The row that is selected, or -1. */
  get selected() {
    return this.rows.selected
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
   * @param {number} selected The row that is selected, or -1.
   */
  show(model, anchor, selected) {
    this.rows.clear()
    this.model = model
    this.pending = anchor
    model.store.onCells = () => this.schedule()
    this.scroller.setAttribute('aria-rowcount', String(model.list.rows))
    this.scroller.setAttribute('aria-colcount', String(model.variants.length))
    this.scroller.dataset.revision = String(model.list.revision)
    this.mark(selected)
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
    if (this.pending !== undefined && 'row' in this.pending) return this.pending
    const heights = this.heights
    if (heights === null || heights.length === 0) return { row: 0, inside: 0 }
    const row = Math.max(heights.rowAt(this.offset), 0)
    return { row, inside: this.offset - heights.offsetOf(row) }
  }

  /** @param {number} row */
  goToRow(row) {
    this.#goTo({ row, inside: 0 })
  }

  /** @param {number} part A part of the height of the list. */
  goToPart(part) {
    this.#goTo({ part })
  }

  /** @param {Anchor | { part: number }} place */
  #goTo(place) {
    this.pending = place
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
    this.rows.select(row)
    this.scroller.setAttribute('aria-activedescendant', row < 0 ? '' : `row-${row}`)
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
    this.rows.displace()
    this.schedule()
  }

  /** Sets the height of the scrolled element, and goes to the row that is to be at the top. */
  #measure() {
    const { model, viewport } = this
    if (model === null) return
    const { rowHeights, rowHeights: { size } } = model
    if (size !== this.mapping.size || viewport !== this.mapping.viewport) {
      const { offset } = this
      this.mapping = new ScrollMapping(size, viewport)
      // Browsers round the height of an element differently at different positions.
      this.spacer.style.height = `${Math.ceil(this.mapping.scrollHeight)}px`
      this.#jump(offset)
    }
    this.scroller.classList.toggle('unmeasured', !rowHeights.isSizeKnown)
    const { pending } = this
    const { heights } = rowHeights
    if (pending !== undefined && 'part' in pending) {
      this.#jump(pending.part * size)
      if (rowHeights.isSizeKnown) this.pending = undefined
    } else if (pending !== undefined && pending.row < heights.length && (rowHeights.isSizeKnown || pending.row === 0)) {
      this.pending = undefined
      const height = heights.heightOf(pending.row)
      this.#jump(heights.offsetOf(pending.row) + (height > 0 ? Math.min(pending.inside, height) : -LABEL_ABOVE))
    }
  }

  #arrangeColumns() {
    const { model } = this
    if (model === null) return
    const { lefts, total } = arranged(model.variants, this.scroller.clientWidth, this.isNarrow)
    this.rows.lefts = lefts
    this.spacer.style.width = `${total}px`
    this.header.replaceChildren(...model.variants.map((variant, index) => {
      const label = make('div', { class: 'column' }, variantLabel(variant))
      label.style.cssText = `left:${lefts[index]}px;width:${variant.width}px`
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
    const rows = rowsByNeed(model, this)
    this.rows.keep(new Set(rows))
    if (rows.length === 0) return this.onDraw()
    if (this.speed <= MAX_REQUEST_SPEED) model.store.need(model.variants.map(({ name }) => name), rows)
    else this.schedule()
    const start = performance.now()
    for (const row of rows) {
      this.rows.draw(row, model)
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
    if (Math.abs(this.offset - this.rows.origin) > MAX_COORDINATE) {
      this.rows.origin = Math.floor(this.offset)
      this.rows.clear()
    }
    this.container.style.transform = `translateY(${this.rows.origin - this.mapping.base}px)`
  }
}
