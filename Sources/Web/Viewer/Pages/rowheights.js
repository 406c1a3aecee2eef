// The heights of the rows as the page shows them: a row is as tall as the tallest of its cells of the chosen variants.

import { Heights } from './galley.js'
import { untilReplied } from './server.js'

/** The number of rows that are added to the heights at once. It takes about 10 ms. */
const ROWS_PER_SLICE = 32768
const BYTES_PER_HEIGHT = 4

/** The heights of one variant as they arrive. */
class VariantHeights {
  /** @param {number} rows */
  constructor(rows) {
    this.values = new Float32Array(rows)
    this.bytes = new Uint8Array(this.values.buffer)
    this.receivedBytes = 0
  }

  get received() {
    return Math.floor(this.receivedBytes / BYTES_PER_HEIGHT)
  }

  /** @param {Uint8Array} bytes */
  add(bytes) {
    if (this.receivedBytes + bytes.length > this.bytes.length) throw new Error('The server sent too many heights')
    this.bytes.set(bytes, this.receivedBytes)
    this.receivedBytes += bytes.length
  }
}

/** The heights of the rows of a list in some variants, which can be read before all of them have arrived. */
export class RowHeights {
  /**
   * @param {import('./server.js').ListInfo} list
   * @param {import('./server.js').Variant[]} variants
   */
  constructor(list, variants) {
    this.rows = list.rows
    this.variants = variants
    /** The heights of the rows so far. */
    this.heights = Heights.from([])
    /** The heights of each variant. */
    this.columns = variants.map(() => new VariantHeights(list.rows))
    this.isComplete = list.rows === 0
  }

  /** The height of the list, or the most that is known of it while the heights arrive. */
  get size() {
    if (this.isComplete) return this.heights.size
    return Math.max(this.heights.size, ...this.variants.map(({ height }) => height))
  }

  /** Whether the size is final. It is known from the start if there is one variant. */
  get isSizeKnown() {
    return this.isComplete || this.variants.length === 1
  }

  /**
   * Returns the height of the cell of one variant.
   *
   * @param {number} variant The index of the variant.
   * @param {number} row
   */
  cellHeight(variant, row) {
    return this.columns[variant].values[row]
  }

  /**
   * Takes the heights of the first rows from their cells, if these were there before the heights, and returns whether
   * it did.
   *
   * @param {import('./cellstore.js').CellStore} store
   */
  addFirst(store) {
    if (this.heights.length > 0) return false
    /** @type {number[]} */
    const heights = []
    while (heights.length < this.rows) {
      const row = heights.length
      const cells = this.variants.map(({ name }) => store.cell(name, row))
      if (cells.includes(null)) break
      cells.forEach((cell, index) => { this.columns[index].values[row] = cell?.height ?? 0 })
      heights.push(Math.max(...this.columns.map(({ values }) => values[row])))
    }
    this.heights.splice(0, 0, heights)
    return heights.length > 0
  }

  /**
   * Receives the heights.
   *
   * @param {import('./server.js').Server} server
   * @param {AbortSignal} signal
   * @param {() => void} onProgress Called when there are more rows.
   */
  async load(server, signal, onProgress) {
    if (this.isComplete) return
    /** @type {Promise<void> | null} */
    let adding = null
    const add = () => {
      adding ??= this.#addReceived(signal, onProgress).finally(() => { adding = null })
      return adding
    }
    await Promise.all(this.variants.map((variant, index) => untilReplied(async () => {
      // A reply that ended early comes again from the first row.
      this.columns[index].receivedBytes = 0
      const response = await server.request(`/heights/${encodeURIComponent(variant.name)}`, {}, signal)
      const reader = response.body?.getReader()
      if (reader === undefined) throw new Error('The server sent no heights')
      for (;;) {
        const { done, value } = await reader.read()
        if (done) break
        this.columns[index].add(value)
        add().catch(() => {})
      }
    }, signal)))
    await add()
    await this.#addReceived(signal, onProgress)
    if (this.heights.length !== this.rows) {
      throw new Error(`The server sent ${this.heights.length} of ${this.rows} heights: load the page again`)
    }
    this.isComplete = true
    onProgress()
  }

  /** @param {AbortSignal} signal @param {() => void} onProgress */
  async #addReceived(signal, onProgress) {
    for (;;) {
      signal.throwIfAborted()
      const first = this.heights.length
      const received = Math.min(...this.columns.map((column) => column.received))
      const end = Math.min(received, first + ROWS_PER_SLICE)
      // The first rows may be known from their cells before as many heights have arrived.
      if (end <= first) return
      this.heights.splice(first, 0, this.#tallest(first, end))
      onProgress()
      await nextTurn()
    }
  }

  /** @param {number} first @param {number} end */
  #tallest(first, end) {
    if (this.columns.length === 1) return this.columns[0].values.subarray(first, end)
    const result = new Float32Array(end - first)
    for (const { values } of this.columns) {
      for (let row = first; row < end; row += 1) {
        if (values[row] > result[row - first]) result[row - first] = values[row]
      }
    }
    return result
  }
}

/**
 * Resolves after the browser had an opportunity to handle input and to draw, so that the page goes on scrolling meanwhile.
 *
 * @returns {Promise<void>}
 */
function nextTurn() {
  return new Promise((resolve) => {
    const channel = new MessageChannel()
    channel.port1.onmessage = () => {
      channel.port1.close()
      resolve()
    }
    channel.port2.postMessage(null)
  })
}
