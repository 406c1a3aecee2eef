// What the page shows: a layout of the list, and some of its variants. Another layout or other variants are shown when
// their heights are there, with the same row at the viewport's top and the same row selected.

import { CellStore, ROWS_PER_BLOCK } from './cellstore.js'
import { RowHeights } from './rowheights.js'
import { isAborted, OldRevision, Server } from './server.js'

/** The time that a new layout waits for the cells of the viewport before it is shown, in milliseconds. */
const MAX_WAIT_MILLISECONDS = 250
/** The greatest number of rows that it waits for. */
const MAX_WAITED_ROWS = 64
/** The greatest number of times that the place in a new layout is found again because the user has scrolled meanwhile. */
const MAX_ROUNDS = 3

/** @typedef {import('./listview.js').Model & { server: Server }} ServedModel */
/** @typedef {import('./listview.js').Anchor & { selected: number }} Place What is at the viewport's top, and the selected row, or -1. */

export class Session {
  /**
   * @param {import('./listview.js').ListView} view
   * @param {{ onList: (list: import('./server.js').ListInfo) => void, onModel: (model: ServedModel) => void,
   *   onError: (error: unknown) => void }} handlers `onList` is called with the newest state of the server, before its list is shown.
   */
  constructor(view, { onList, onModel, onError }) {
    this.view = view
    this.onList = onList
    this.onModel = onModel
    this.onError = onError
    /** @type {ServedModel | null} */
    this.model = null
    /**
     * The names of the variants that were asked for last. They are shown when their heights are there.
     *
     * @type {string[]}
     */
    this.names = []
    /** The revision that was asked for last. */
    this.revision = 0
    this.loading = new AbortController()
    this.asking = new AbortController()
  }

  /**
   * Shows the list for the first time. Rows are drawn as their heights arrive.
   *
   * @param {(list: import('./server.js').ListInfo) => string[]} choose Returns the names of the variants to show.
   * @param {number} row
   */
  async open(choose, row) {
    const list = await Server.list(this.asking.signal)
    this.onList(list)
    const model = this.#modelOf(list, choose(list))
    const blockStart = row - (row % ROWS_PER_BLOCK)
    // The first cells are asked for beside the heights, as they take longer.
    model.store.need(model.variants.map(({ name }) => name), [blockStart, blockStart + ROWS_PER_BLOCK]
      .filter((first) => first < list.rows))
    this.#present(model, { row: Math.min(row, Math.max(list.rows - 1, 0)), inside: 0, selected: -1 })
    const draw = model.store.onCells
    model.store.onCells = () => {
      if (model.rowHeights.addFirst(model.store)) this.view.heightsChanged()
      draw()
    }
    await this.#receive(model, () => this.view.heightsChanged())
  }

  /**
   * Shows other variants.
   *
   * @param {string[]} names
   */
  async choose(names) {
    if (this.model === null) return
    await this.#replace(this.model.list, names)
  }

  /** Shows the newest layout of the server. A reply to an earlier request would be an older one. */
  async update() {
    if (this.model === null) return
    this.asking.abort()
    this.asking = new AbortController()
    const list = await Server.list(this.asking.signal)
    this.onList(list)
    if (list.revision === this.revision) return
    await this.#replace(list, this.names)
  }

  /**
   * @param {import('./server.js').ListInfo} list
   * @param {string[]} names
   */
  async #replace(list, names) {
    const model = this.#modelOf(list, names)
    const isComplete = await this.#receive(model, () => {})
    if (!isComplete) return
    const { signal } = this.loading
    try {
      let before = this.#place()
      let after = await this.#placeIn(model, before, signal)
      await this.#waitForCells(model, after)
      signal.throwIfAborted()
      for (let round = 0; round < MAX_ROUNDS && !isSame(before, this.#place()); round += 1) {
        before = this.#place()
        after = await this.#placeIn(model, before, signal)
      }
      this.#present(model, moved(after, before, this.#place(), list.rows))
    } catch (error) {
      model.store.close()
      // Another layout is shown instead.
      if (!isAborted(error) && !(error instanceof OldRevision)) throw error
    }
  }

  /**
   * @param {import('./server.js').ListInfo} list
   * @param {string[]} names
   * @returns {ServedModel}
   */
  #modelOf(list, names) {
    const chosen = list.variants.filter(({ name }) => names.includes(name))
    const variants = chosen.length > 0 ? chosen : list.variants.slice(0, 1)
    const server = new Server(list.revision, () => this.update().catch(this.onError))
    this.names = variants.map(({ name }) => name)
    this.revision = list.revision
    return {
      list, variants, server, rowHeights: new RowHeights(list, variants),
      store: new CellStore(server, list.rows, this.onError),
    }
  }

  /**
   * Receives the heights of a model, and returns whether all have arrived. Those of another model are not waited for.
   *
   * @param {ServedModel} model
   * @param {() => void} onProgress
   */
  async #receive(model, onProgress) {
    this.loading.abort()
    this.loading = new AbortController()
    try {
      await model.rowHeights.load(model.server, this.loading.signal, onProgress)
      return true
    } catch (error) {
      // Another layout is shown instead.
      if (isAborted(error) || error instanceof OldRevision) return false
      this.names = this.model?.variants.map(({ name }) => name) ?? []
      this.revision = this.model?.list.revision ?? 0
      this.onError(error)
      return false
    }
  }

  /** @returns {Place} */
  #place() {
    return { ...this.view.anchor, selected: this.view.selected }
  }

  /**
   * Returns where a place is in another layout. A selected row that it does not have is not selected any more.
   *
   * @param {ServedModel} model
   * @param {Place} place
   * @param {AbortSignal} signal
   * @returns {Promise<Place>}
   */
  async #placeIn(model, { row, inside, selected }, signal) {
    const [top, other] = await Promise.all([row, selected].map((one) => this.#rowIn(model, one, signal)))
    signal.throwIfAborted()
    return { row: Math.min(top ?? row, Math.max(model.list.rows - 1, 0)), inside, selected: other ?? -1 }
  }

  /**
   * Returns the row of another layout with the id of a row, or null. A row whose id is not known keeps its number.
   *
   * @param {ServedModel} model
   * @param {number} row
   * @param {AbortSignal} signal
   */
  async #rowIn(model, row, signal) {
    const old = this.model
    const cell = old?.store.cell(old.variants[0].name, row) ?? null
    if (old === null || cell === null || old.list.revision === model.list.revision) return row
    try {
      const found = await model.server.cellLike(model.variants[0].name, cell, model.list.rows, signal)
      return found?.row ?? null
    } catch (error) {
      if (error instanceof OldRevision) throw error
      return row
    }
  }

  /**
   * Waits for the cells that will be visible, so that the list does not show places without cells in between.
   *
   * @param {ServedModel} model
   * @param {import('./listview.js').Anchor} anchor
   */
  async #waitForCells(model, anchor) {
    const { heights } = model.rowHeights
    if (heights.length === 0) return
    const end = heights.offsetOf(anchor.row) + anchor.inside + this.view.viewport
    /** @type {number[]} */
    const rows = []
    for (let row = anchor.row; row < heights.length && heights.offsetOf(row) < end; row += 1) {
      if (rows.push(row) >= MAX_WAITED_ROWS) break
    }
    const names = model.variants.map(({ name }) => name)
    model.store.need(names, rows)
    const isReady = () => rows.every((row) => names.every((name) => model.store.cell(name, row) !== null))
    if (isReady()) return
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, MAX_WAIT_MILLISECONDS)
      model.store.onCells = () => {
        if (!isReady()) return
        clearTimeout(timer)
        resolve(null)
      }
    })
  }

  /** @param {ServedModel} model @param {Place} place */
  #present(model, { row, inside, selected }) {
    this.model?.store.close()
    this.model = model
    this.view.show(model, { row, inside }, selected)
    this.onModel(model)
  }
}

/** @param {Place} one @param {Place} other */
function isSame(one, other) {
  return one.row === other.row && one.inside === other.inside && one.selected === other.selected
}

/**
 * Returns where the list is now in another layout: as far from a known place as in the earlier layout.
 *
 * @param {Place} after The known place in the other layout.
 * @param {Place} before The same place in the earlier layout.
 * @param {Place} now
 * @param {number} rows
 * @returns {Place}
 */
function moved(after, before, now, rows) {
  const step = after.row - before.row
  const row = Math.min(Math.max(now.row + step, 0), Math.max(rows - 1, 0))
  const selected = now.selected === before.selected ? after.selected : now.selected + step
  return { row, inside: now.inside, selected: selected < rows ? selected : -1 }
}
