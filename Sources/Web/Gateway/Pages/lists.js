// The lists of workers and batches. Rows remain the same elements as long as their worker or batch is there.

import { element, setText } from './elements.js'
import { age, count, counted, short } from './format.js'
import { rate } from './history.js'
import { isSilent, slowSeconds } from './notices.js'

/** The number of rows that are shown, so that the page remains quick. */
const shownRows = 100

export class List {
  /**
   * @param {HTMLElement} node
   * @param {{title: string, name: string, update: (cell: HTMLElement, item: any) => void}[]} columns
   */
  constructor(node, columns) {
    this.columns = columns
    this.rows = new Map()
    this.body = element('div', 'rows')
    this.body.setAttribute('role', 'rowgroup')
    this.more = element('p', 'more')
    const head = element('div', 'row head', ...columns.map((column) => cell('columnheader', column, column.title)))
    head.setAttribute('role', 'row')
    node.append(head, this.body)
    node.after(this.more)
  }

  /** Shows items by their keys, in their order. */
  show(items, { total, empty }) {
    const rows = new Map()
    for (const item of items.slice(0, shownRows)) {
      const row = this.rows.get(item.key) ?? this.#row()
      for (const [index, column] of this.columns.entries()) column.update(row.children[index], item)
      row.dataset.state = item.state
      rows.set(item.key, row)
    }
    for (const [key, row] of this.rows) if (!rows.has(key)) row.remove()
    let at = this.body.firstElementChild
    for (const row of rows.values()) {
      if (row === at) at = at.nextElementSibling
      else this.body.insertBefore(row, at)
    }
    this.rows = rows
    const hidden = Math.max(total, items.length) - rows.size
    setText(this.more, rows.size === 0 ? empty : hidden > 0 ? `and ${count(hidden)} more` : '')
    this.more.hidden = this.more.textContent === ''
  }

  #row() {
    const row = element('div', 'row', ...this.columns.map((column) => cell('cell', column)))
    row.setAttribute('role', 'row')
    return row
  }
}

function cell(role, column, ...children) {
  const node = element('div', `cell ${column.name}`, ...children)
  node.setAttribute('role', role)
  // The layout for narrow screens shows titles in the cells.
  if (role === 'cell') node.dataset.title = column.title
  return node
}

const text = (title, name, value) => ({ title, name, update: (node, item) => setText(node, value(item)) })

/** A column with a name and a note below it. */
const named = (title, value, note) => ({
  title,
  name: 'name',
  update(node, item) {
    if (!node.firstChild) node.append(element('b'), element('small'))
    setText(node.firstChild, value(item))
    setText(node.lastChild, note(item))
    node.title = `${value(item)} ${note(item)}`
  },
})

/** A column with a bar and a text. */
const bar = (title, name, share, value) => ({
  title,
  name: `${name} bar`,
  update(node, item) {
    if (!node.firstChild) node.append(element('span', 'track', element('i')), element('span', 'value'))
    node.firstChild.firstChild.style.width = `${Math.min(Math.max(share(item), 0), 1) * 100}%`
    setText(node.lastChild, value(item))
  },
})

const joined = (...texts) => texts.filter((text) => text).join(' · ')

export const workerColumns = [
  named('Worker', (item) => item.worker.name,
    ({ worker }) => joined(worker.host, `process ${worker.pid}`, worker.key && `key ${worker.key}`)),
  bar('Rate', 'rate', (item) => item.share, (item) => item.ended ?? (item.rate === null ? '–' : `${short(item.rate)} rows/s`)),
  text('Rows', 'number', (item) => short(item.worker.rows)),
  text('Jobs', 'number', (item) => (item.ended ? '–' : count(item.worker.jobs))),
  text('Job age', 'number job-age', ({ ended, worker }) => (ended || !(worker.jobAge > 0) ? '–' : age(worker.jobAge))),
  text('Seen', 'number seen', ({ ended, worker }) => (ended || worker.seen === undefined ? '–' : `${age(worker.seen)} ago`)),
  text('Cache', 'number', (item) => `${(item.worker.cacheHitRate * 100).toFixed(1)} %`),
]

/** Returns the workers of the last state, and those that ended in the last minute. */
export function workerItems(history) {
  const { status, time } = history.last
  const rows = (name) => (state) => state.workers.find((worker) => worker.name === name)?.rows ?? NaN
  const items = status.workers.map((worker) => {
    const perSecond = history.now(rate(rows(worker.name)))
    return { key: worker.name, worker, rate: Number.isFinite(perSecond) ? perSecond : null, state: workerState(worker) }
  })
  const highest = Math.max(1, ...items.map((item) => item.rate ?? 0))
  for (const item of items) item.share = (item.rate ?? 0) / highest
  const ended = history.ended.map(({ worker, time: at, isLost }) => ({
    key: `${worker.name} ended ${at}`, worker, share: 0, state: isLost ? 'lost' : 'ended',
    ended: `${isLost ? 'lost' : 'ended'} ${age(time - at)} ago`,
  }))
  return [...ended, ...items]
}

const workerState = (worker) => (isSilent(worker) ? 'silent' : worker.late ? 'late' : 'there')

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
    batch.queued && `${count(batch.queued)} queued`,
    batch.retries && `${count(batch.retries)} retried`)),
]

/** Returns the batches of the last state. A batch whose jobs run without a further row waits for a slow or late worker. */
export function batchItems(history) {
  const { workers, batches } = history.last.status
  const late = workers.filter((worker) => worker.late).length
  return batches.map((batch) => {
    const seconds = history.idle(batch)
    const idle = seconds >= slowSeconds ? seconds : 0
    return { key: batch.name, batch, idle, late, state: batchState(batch, idle) }
  })
}

function batchState(batch, idle) {
  if (['failed', 'paused', 'unreadable'].includes(batch.state)) return 'lost'
  return idle ? 'late' : batch.waiting ? 'waiting' : 'there'
}
