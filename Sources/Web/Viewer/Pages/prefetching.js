// What a list at this place would load, as the server states it.

import { keepPlace } from './address.js'
import { isAborted } from './server.js'

/** The time without scrolling after which the server is asked what would be loaded, in milliseconds. */
const PREFETCH_MILLISECONDS = 120

export class Prefetching {
  /**
   * @param {import('./listview.js').ListView} view
   * @param {import('./session.js').Session} session
   * @param {{ onReply: () => void, onError: (error: unknown) => void }} page
   */
  constructor(view, session, { onReply, onError }) {
    this.view = view
    this.session = session
    this.onReply = onReply
    this.onError = onError
    /**
     * The last reply of the server.
     *
     * @type {import('./galley.js').Prefetch | null}
     */
    this.reply = null
    /** The name of the variant that the reply is about, and the revision of its layout, whose rows are not those of another one. */
    this.variant = ''
    this.revision = 0
    /** The offset and the height of the viewport for which the server was asked last. */
    this.offset = -1
    this.viewport = -1
    this.timer = 0
    this.request = new AbortController()
  }

  /** Asks the server if the viewport is another one. */
  follow() {
    if (this.view.offset !== this.offset || this.view.viewport !== this.viewport) this.ask()
  }

  /**
   * Returns the last reply if it is about a variant of the layout that is shown.
   *
   * @param {string | undefined} variant
   */
  replyAbout(variant) {
    const isOfLayout = this.revision === this.session.model?.server.revision
    return isOfLayout && variant === this.variant ? this.reply : null
  }

  /** Asks the server soon, once for all calls that come together. */
  ask() {
    this.offset = this.view.offset
    this.viewport = this.view.viewport
    clearTimeout(this.timer)
    this.timer = window.setTimeout(() => this.#send(), PREFETCH_MILLISECONDS)
  }

  async #send() {
    const { view, session: { model } } = this
    if (model === null || view.viewport === 0) return
    // Rows are taller than the cells of the first variant if another one has taller cells.
    const { row, inside } = view.anchor
    keepPlace(row, model.variants.map(({ name }) => name))
    this.request.abort()
    this.request = new AbortController()
    const [variant] = model.variants
    const cell = model.store.cell(variant.name, row)
    const offset = model.variants.length === 1 || cell === null ? view.offset : cell.y + Math.min(inside, cell.height)
    try {
      this.reply = await model.server.json(`/prefetch/${encodeURIComponent(variant.name)}`, {
        offset, viewport: view.viewport, direction: view.direction,
      }, this.request.signal)
      this.variant = variant.name
      this.revision = model.server.revision
      this.onReply()
    } catch (error) {
      if (!isAborted(error)) this.onError(error)
    }
  }
}
