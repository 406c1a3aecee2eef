// The search field, and where its text leads: to a row, an offset, or an id.

import { isAborted, OldRevision } from './server.js'

/**
 * @typedef {{ kind: 'row', row: number } | { kind: 'offset', offset: number } | { kind: 'part', part: number }
 *   | { kind: 'id', id: string }} Destination
 */

/**
 * Returns the destination that a text describes, or null if it is empty.
 *
 * `12` is a row if the list has it, else an id; `@8000` or `8000pt` an offset in points; `50%` a part of the list;
 * `id:12` an id, and so is everything else. Only after `id:` do spaces at the ends belong to the id.
 *
 * @param {string} text
 * @param {number} rows
 * @returns {Destination | null}
 */
export function destination(text, rows) {
  const trimmed = text.trim()
  if (trimmed === '') return null
  if (trimmed.startsWith('id:')) return { kind: 'id', id: text.trimStart().slice('id:'.length) }
  const row = /^#?(\d{1,3}(?:[,_ ]?\d{3})*|\d+)$/.exec(trimmed)
  if (row !== null) {
    const number = Number(row[1].replace(/[,_ ]/g, ''))
    return number < rows ? { kind: 'row', row: number } : { kind: 'id', id: trimmed }
  }
  const offset = /^@\s*(\d+(?:\.\d+)?)$/.exec(trimmed) ?? /^(\d+(?:\.\d+)?)\s*(?:pt|px)$/.exec(trimmed)
  if (offset !== null) return { kind: 'offset', offset: Number(offset[1]) }
  const part = /^(\d+(?:\.\d+)?)\s*%$/.exec(trimmed)
  if (part !== null) return { kind: 'part', part: Math.min(Number(part[1]) / 100, 1) }
  return { kind: 'id', id: trimmed }
}

/** Goes to the place that the user enters. Only the place that was entered last counts, however late the server finds it. */
export class JumpField {
  /**
   * @param {HTMLElement} form
   * @param {HTMLInputElement} field
   * @param {import('./session.js').Session} session
   * @param {{ goTo: (place: Destination & { kind: 'row' | 'offset' | 'part' }) => void, onError: (error: unknown) => void }} page
   */
  constructor(form, field, session, { goTo, onError }) {
    this.field = field
    this.session = session
    this.goTo = goTo
    this.onError = onError
    /**
     * The id that is searched for.
     *
     * @type {string | null}
     */
    this.id = null
    this.request = new AbortController()
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      this.#submit()
    })
    field.addEventListener('input', () => this.cancel())
  }

  /** Searches in the layout that is shown now, in which the id may have another row. */
  modelChanged() {
    this.field.setCustomValidity('')
    this.#search()
  }

  /** Gives up the search. */
  cancel() {
    this.request.abort()
    this.id = null
    this.field.setCustomValidity('')
  }

  #submit() {
    this.cancel()
    const { model } = this.session
    const place = model === null ? null : destination(this.field.value, model.list.rows)
    if (place === null) return
    if (place.kind !== 'id') return this.goTo(place)
    this.id = place.id
    this.#search()
  }

  async #search() {
    const { field, id, session: { model } } = this
    if (model === null || id === null) return
    this.request.abort()
    this.request = new AbortController()
    try {
      const row = await model.server.find(id, this.request.signal)
      this.id = null
      if (row !== null) return this.goTo({ kind: 'row', row })
      field.setCustomValidity(`No row has the id ${id}`)
      // It would take the focus from what one uses now.
      if (document.activeElement === field) field.reportValidity()
    } catch (error) {
      // The new layout is shown soon, and is searched then.
      if (isAborted(error) || error instanceof OldRevision) return
      this.id = null
      this.onError(error)
    }
  }
}
