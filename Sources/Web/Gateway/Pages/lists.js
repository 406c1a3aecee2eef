// The lists of workers and batches. Rows remain the same elements as long as their worker or batch is there.

import { make, setText } from './elements.js'
import { age, counted, grouped, short } from './format.js'
import { isLate, slowSeconds, workerState } from './notices.js'
import { rate } from './values.js'

/** The number of rows that are shown, so that the page remains quick. */
const shownRows = 100

/** @typedef {import('./values.js').Worker} Worker */
/** @typedef {import('./values.js').Batch} Batch */
/** @typedef {import('./history.js').History} History */
/** @typedef {{ node: HTMLElement, cells: HTMLElement[] }} Row */
/** @typedef {{ key: string, state: string }} Item */

/**
 * A worker that is there, or one that ended.
 *
 * @typedef {Item & { worker: Worker, share: number, rate: number | null, ended?: string }} WorkerItem
 */

/**
 * A batch. `idle` is the time without a further row in seconds if it is long, and `late` the number of late workers.
 *
 * @typedef {Item & { batch: Batch, idle: number, late: number }} BatchItem
 */

/**
 * @template Shown
 * @typedef {{ title: string, name: string, update: (cell: HTMLElement, item: Shown) => void }} Column
 */

/**
 * A list of items.
 *
 * @template {Item} Shown
 */
export class List {
  /**
   * @param {HTMLElement} node
   * @param {Column<Shown>[]} columns
   */
  constructor(node, columns) {
    this.columns = columns
    /** @type {Map<string, Row>} */
    this.rows = new Map()
    this.body = make('div', { class: 'rows', role: 'rowgroup' })
    this.more = make('p', { class: 'more' })
    const head = make('div', { class: 'row head', role: 'row' },
      ...columns.map((column) => cell('columnheader', column, column.title)))
    node.append(head, this.body)
    node.after(this.more)
  }

  /**
   * Shows items by their keys, in their order.
   *
   * @param {Shown[]} items
   * @param {number} total The number of items of the pool, of which there may be more.
   * @param {string} empty The text if there are none.
   */
  show(items, total, empty) {
    /** @type {Map<string, Row>} */
    const rows = new Map()
    for (const item of items.slice(0, shownRows)) {
      const row = this.rows.get(item.key) ?? this.#row()
      for (const [index, column] of this.columns.entries()) column.update(row.cells[index], item)
      row.node.dataset.state = item.state
      rows.set(item.key, row)
    }
    for (const [key, row] of this.rows) if (!rows.has(key)) row.node.remove()
    let at = this.body.firstElementChild
    for (const { node } of rows.values()) {
      if (node === at) at = node.nextElementSibling
      else this.body.insertBefore(node, at)
    }
    this.rows = rows
    const hidden = Math.max(total, items.length) - rows.size
    setText(this.more, rows.size === 0 ? empty : hidden > 0 ? `and ${grouped(hidden)} more` : '')
    this.more.hidden = this.more.textContent === ''
  }

  #row() {
    const cells = this.columns.map((column) => cell('cell', column))
    return { node: make('div', { class: 'row', role: 'row' }, ...cells), cells }
  }
}

/**
 * @param {'cell' | 'columnheader'} role
 * @param {{ title: string, name: string }} column
 * @param {string[]} children
 */
function cell(role, column, ...children) {
  const node = make('div', { class: `cell ${column.name}`, role }, ...children)
  // The layout for narrow screens shows titles in the cells.
  if (role === 'cell') node.dataset.title = column.title
  return node
}

/**
 * @template Shown
 * @param {string} title
 * @param {string} name
 * @param {(item: Shown) => string} value
 * @returns {Column<Shown>}
 */
const text = (title, name, value) => ({ title, name, update: (node, item) => setText(node, value(item)) })

/**
 * Returns a column with a name and a note below it.
 *
 * @template Shown
 * @param {string} title
 * @param {(item: Shown) => string} value
 * @param {(item: Shown) => string} note
 * @returns {Column<Shown>}
 */
const named = (title, value, note) => ({
  title,
  name: 'name',
  update(node, item) {
    if (!node.firstChild) node.append(make('b'), make('small'))
    setText(node.firstChild, value(item))
    setText(node.lastChild, note(item))
    node.title = `${value(item)} ${note(item)}`
  },
})

/**
 * Returns a column with a bar and a text.
 *
 * @template Shown
 * @param {string} title
 * @param {string} name
 * @param {(item: Shown) => number} share
 * @param {(item: Shown) => string} value
 * @returns {Column<Shown>}
 */
const bar = (title, name, share, value) => ({
  title,
  name: `${name} bar`,
  update(node, item) {
    if (!node.firstChild) node.append(make('span', { class: 'track' }, make('i')), make('span', { class: 'value' }))
    const filled = node.querySelector('i')
    if (filled) filled.style.width = `${Math.min(Math.max(share(item), 0), 1) * 100}%`
    setText(node.lastChild, value(item))
  },
})

/** @param {(string | number | false)[]} texts Those that are empty, 0 or false are left out. */
const joined = (...texts) => texts.filter((text) => text).join(' · ')

/** @type {Column<WorkerItem>[]} */
export const workerColumns = [
  named('Worker', (item) => item.worker.name,
    ({ worker }) => joined(worker.host, `process ${worker.pid}`, worker.key && `key ${worker.key}`)),
  bar('Rate', 'rate', (item) => item.share, (item) => item.ended ?? (item.rate === null ? '–' : `${short(item.rate)} rows/s`)),
  text('Rows', 'number', (item) => short(item.worker.rows)),
  text('Jobs', 'number', (item) => (item.ended ? '–' : grouped(item.worker.jobs))),
  text('Job age', 'number job-age', ({ ended, worker }) => (ended || !(worker.jobAge > 0) ? '–' : age(worker.jobAge))),
  text('Seen', 'number seen', ({ ended, worker }) => (ended || worker.seen === undefined ? '–' : `${age(worker.seen)} ago`)),
  text('Cache', 'number', (item) => `${(item.worker.cacheHitRate * 100).toFixed(1)} %`),
]

/**
 * Returns the workers of the last state, and those that ended in the last minute.
 *
 * @param {History} history
 * @returns {WorkerItem[]}
 */
export function workerItems(history) {
  const { last } = history
  if (!last) return []
  /** @param {string} name @returns {import('./values.js').Counter} */
  const rows = (name) => (state) => state.workers.find((worker) => worker.name === name)?.rows ?? NaN
  const rates = last.status.workers.map(({ name }) => {
    const perSecond = history.now(rate(rows(name)))
    return Number.isFinite(perSecond) ? perSecond : null
  })
  const highest = Math.max(1, ...rates.map((perSecond) => perSecond ?? 0))
  const items = last.status.workers.map((worker, index) => ({
    key: worker.name, worker, rate: rates[index], share: (rates[index] ?? 0) / highest, state: workerState(worker),
  }))
  const ended = history.ended.map(({ worker, time, lostShare }) => ({
    key: `${worker.name} ended ${time}`, worker, rate: null, share: 0, state: lostShare > 0 ? 'lost' : 'ended',
    ended: `${lostShare === 1 ? 'lost' : lostShare > 0 ? 'lost?' : 'ended'} ${age(last.time - time)} ago`,
  }))
  return [...ended, ...items]
}

/** @type {Column<BatchItem>[]} */
export const batchColumns = [
  named('Batch', (item) => item.batch.name,
    ({ batch }) => joined(batch.input, batch.owner && `key ${batch.owner}`, batch.priority && `priority ${batch.priority}`)),
  bar('Done', 'progress', ({ batch }) => (batch.rowsReceived ? batch.rowsDone / batch.rowsReceived : 0),
    ({ batch }) => `${short(batch.rowsDone)} of ${short(batch.rowsReceived)} rows`),
  text('Age', 'number', (item) => age(item.batch.age)),
  text('State', 'reason', ({ batch, idle, late }) => joined(
    batch.waiting || (batch.running ? counted(batch.running, 'job runs', 'jobs run') : batch.state),
    idle && `no further row for ${age(idle)}`,
    idle && late && counted(late, 'worker is late', 'workers are late'),
    batch.queued && `${grouped(batch.queued)} queued`,
    batch.retries && `${grouped(batch.retries)} retried`)),
]

/**
 * Returns the batches of the last state. A batch whose jobs run without a further row waits for a slow or late worker.
 *
 * @param {History} history
 * @returns {BatchItem[]}
 */
export function batchItems(history) {
  const { workers, batches } = history.last?.status ?? { workers: [], batches: [] }
  const late = workers.filter(isLate).length
  return batches.map((batch) => {
    const seconds = history.idle(batch)
    const idle = seconds >= slowSeconds ? seconds : 0
    return { key: batch.name, batch, idle, late, state: batchState(batch, idle) }
  })
}

/** @param {Batch} batch @param {number} idle */
function batchState(batch, idle) {
  if (['failed', 'paused', 'unreadable'].includes(batch.state)) return 'lost'
  return idle ? 'late' : batch.waiting ? 'waiting' : 'there'
}
