// What the page shows: a layout of the list, and some of its variants. Another layout or other variants are shown when
// their heights are there, with the same row at the viewport's top.

import { CellStore, ROWS_PER_BLOCK } from './cellstore.js'
import { RowHeights } from './rowheights.js'
import { isAborted, OldRevision, Server } from './server.js'

/** The time that a new layout waits for the cells of the viewport before it is shown, in milliseconds. */
const MAX_WAIT_MILLISECONDS = 250
/** The greatest number of rows that it waits for. */
const MAX_WAITED_ROWS = 64

/** @typedef {import('./listview.js').Model & { server: Server }} ServedModel */

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
    const list = await Server.list()
    this.onList(list)
    const model = this.#modelOf(list, choose(list))
    const blockStart = row - (row % ROWS_PER_BLOCK)
    // The first cells are asked for beside the heights, as they take longer.
    model.store.need(model.variants.map(({ name }) => name), [blockStart, blockStart + ROWS_PER_BLOCK]
      .filter((first) => first < list.rows))
    this.#present(model, { row: Math.min(row, Math.max(list.rows - 1, 0)), inside: 0 })
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
    const anchor = await this.#anchorIn(model)
    await this.#waitForCells(model, anchor)
    if (!signal.aborted) this.#present(model, anchor)
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

  /**
   * Returns where the row at the viewport's top is in another layout, in which rows may have been inserted or removed.
   *
   * @param {ServedModel} model
   * @returns {Promise<import('./listview.js').Anchor>}
   */
  async #anchorIn(model) {
    const { row, inside } = this.view.anchor
    const last = Math.max(model.list.rows - 1, 0)
    const old = this.model
    const id = old?.store.cell(old.variants[0].name, row)?.id
    if (old === null || id === undefined || old.list.revision === model.list.revision) {
      return { row: Math.min(row, last), inside }
    }
    try {
      if (row <= last) {
        const [cell] = await model.server.cells(model.variants[0].name, row, row + 1)
        if (cell?.id === id) return { row, inside }
      }
      return { row: await model.server.find(id) ?? Math.min(row, last), inside }
    } catch {
      return { row: Math.min(row, last), inside }
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

  /** @param {ServedModel} model @param {import('./listview.js').Anchor} anchor */
  #present(model, anchor) {
    this.model?.store.close()
    this.model = model
    this.view.show(model, anchor)
    this.onModel(model)
  }
}
