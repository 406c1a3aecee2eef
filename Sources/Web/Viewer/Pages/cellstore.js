// The cells that the page has received, in blocks of rows.

import { isAborted } from './server.js'

/** The number of rows of a block, which one request asks for. */
export const ROWS_PER_BLOCK = 16
/** The greatest number of blocks that are kept, of all variants, unless rows that are drawn need more. */
const MAX_BLOCKS = 256
/** The greatest number of requests at a time. Browsers send six to a host, and other requests must not wait. */
const MAX_REQUESTS = 4

/** Cells by variant and row, which are asked for as they are needed. */
export class CellStore {
  /**
   * @param {import('./server.js').Server} server
   * @param {number} rows
   * @param {(error: unknown) => void} onError
   */
  constructor(server, rows, onError) {
    this.server = server
    this.rows = rows
    this.onError = onError
    /**
     * Called when cells have arrived.
     *
     * @type {() => void}
     */
    this.onCells = () => {}
    /**
     * The blocks in the order of their use, the last used last.
     *
     * @type {Map<string, import('./server.js').Cell[]>}
     */
    this.blocks = new Map()
    this.maxBlocks = MAX_BLOCKS
    /** @type {Map<string, AbortController>} */
    this.requests = new Map()
    /**
     * The blocks that are needed, the most urgent first.
     *
     * @type {{ key: string, variant: string, block: number }[]}
     */
    this.needed = []
  }

  /**
   * Returns the cell of a row, or null if it has not arrived yet.
   *
   * @param {string} variant
   * @param {number} row
   */
  cell(variant, row) {
    const block = Math.floor(row / ROWS_PER_BLOCK)
    return this.blocks.get(`${variant}/${block}`)?.[row - block * ROWS_PER_BLOCK] ?? null
  }

  /**
   * Asks for the cells of rows that have not arrived, and for no others: requests for other rows are cancelled.
   *
   * @param {string[]} variants
   * @param {Iterable<number>} rows The rows, the most urgent first.
   */
  need(variants, rows) {
    /** @type {Map<string, { key: string, variant: string, block: number }>} */
    const needed = new Map()
    /** @type {Set<string>} */
    const keys = new Set()
    for (const row of rows) {
      const block = Math.floor(row / ROWS_PER_BLOCK)
      for (const variant of variants) {
        const key = `${variant}/${block}`
        if (keys.has(key)) continue
        keys.add(key)
        const cells = this.blocks.get(key)
        if (cells === undefined) {
          needed.set(key, { key, variant, block })
        } else {
          this.blocks.delete(key)
          this.blocks.set(key, cells)
        }
      }
    }
    for (const [key, request] of this.requests) if (!needed.has(key)) request.abort()
    this.needed = Array.from(needed.values())
    // A block that is removed while it is needed would be asked for again and again.
    this.maxBlocks = Math.max(MAX_BLOCKS, keys.size)
    this.#send()
  }

  #send() {
    for (const { key, variant, block } of this.needed) {
      if (this.requests.size >= MAX_REQUESTS) return
      if (!this.requests.has(key) && !this.blocks.has(key)) this.#request(key, variant, block)
    }
  }

  /** @param {string} key @param {string} variant @param {number} block */
  async #request(key, variant, block) {
    const controller = new AbortController()
    this.requests.set(key, controller)
    const first = block * ROWS_PER_BLOCK
    try {
      const end = Math.min(first + ROWS_PER_BLOCK, this.rows)
      this.blocks.set(key, await this.server.cells(variant, first, end, controller.signal))
      for (const oldest of this.blocks.keys()) {
        if (this.blocks.size <= this.maxBlocks) break
        this.blocks.delete(oldest)
      }
      this.onCells()
    } catch (error) {
      if (!isAborted(error)) {
        // The block is not asked for again before the list is scrolled, as the reply would be the same.
        this.needed = this.needed.filter((other) => other.key !== key)
        this.onError(error)
      }
    } finally {
      this.requests.delete(key)
    }
    this.#send()
  }

  /** Cancels all requests. */
  close() {
    this.needed = []
    for (const request of this.requests.values()) request.abort()
  }
}
