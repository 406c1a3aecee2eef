// The dashboard of a pool: it shows the events of the gateway and the hour before the last one.

import { byId, make, setText } from './elements.js'
import { followEvents } from './events.js'
import { Figure } from './figure.js'
import { age, bytes, grouped, short, time } from './format.js'
import { History, spans } from './history.js'
import { List, batchColumns, batchItems, workerColumns, workerItems } from './lists.js'
import { connection, notices } from './notices.js'
import { growth, quantile, rate } from './values.js'

const tokenKey = 'galley token'

/** @param {import('./values.js').TimeName} histogram */
const times = (histogram) => [
  { name: 'p50', value: quantile(histogram, 0.5) },
  { name: 'p99', value: quantile(histogram, 0.99) },
]
/** @type {import('./figure.js').Description[]} */
const descriptions = [
  { title: 'Rows', note: 'laid out per second', format: short, least: 10,
    lines: [{ name: 'rows/s', value: rate((status) => status.metrics.rowsDone) }] },
  { title: 'Batches', note: 'done per second, and open', format: short, least: 2,
    lines: [
      { name: 'done/s', value: rate((status) => status.metrics.batchesDone) },
      { name: 'open', value: (status) => status.batchCount },
    ] },
  { title: 'Batch time', note: 'from submission to last result', format: time, least: 0.001, lines: times('batchTime') },
  { title: 'Queue time', note: 'until a worker gets the job', format: time, least: 0.001, lines: times('queueTime') },
  { title: 'Layout time', note: 'of a job at its worker', format: time, least: 0.001, lines: times('layoutTime') },
  { title: 'Retries', note: 'of jobs', format: grouped, least: 5, bars: true,
    lines: [{ name: 'jobs', value: growth((status) => status.metrics.retries) }] },
]

const history = new History()
const figures = descriptions.map((description) => new Figure(description))
const workers = new List(byId('workers'), workerColumns)
const batches = new List(byId('batches'), batchColumns)
/**
 * Whether the gateway replies, whether a request got no reply, whether the page waits for a token, and when the last event came by
 * the clock of this page.
 */
const view = { history, isReachable: true, isUnanswered: false, needsToken: false, receivedAt: performance.now() }
/**
 * The time that the charts show.
 *
 * @type {import('./history.js').Span}
 */
let span = spans.hour
/**
 * The time of the state that the pointer selects in the charts, or null.
 *
 * @type {number | null}
 */
let selected = null
/** The token, which remains here also where the browser permits no storage. */
let token = stored(() => sessionStorage.getItem(tokenKey))
let isDrawingPlanned = false

// MARK: Drawing

/**
 * Draws soon, once for all events that come together. A tab in the background has no animation frames, but shows the state
 * in its title.
 */
function plan() {
  if (isDrawingPlanned) return
  isDrawingPlanned = true
  setTimeout(() => {
    isDrawingPlanned = false
    draw()
  })
}

function draw() {
  const seen = { ...view, silence: (performance.now() - view.receivedAt) / 1000 }
  const state = connection(seen)
  setText(byId('connection'), state.text)
  byId('connection').dataset.state = state.level
  document.title = state.level === 'error' ? `Galley: ${state.text}` : 'Galley'
  show(notices(seen))
  byId('pool').dataset.isCurrent = String(state.isCurrent)
  byId('pool').hidden = !history.samples.length
  if (!history.samples.length) return
  if (selected !== null && !history.shown(span).some((sample) => sample.time === selected)) selected = null
  for (const figure of figures) figure.draw(history, span, selected)
  drawLists()
  drawTotals()
}

/**
 * Shows notices. A text that remains the same is not announced again by screen readers.
 *
 * @param {import('./notices.js').Notice[]} list
 */
function show(list) {
  const parent = byId('notices')
  while (parent.children.length > list.length) parent.lastElementChild?.remove()
  for (const [index, notice] of list.entries()) {
    const child = parent.children[index] ?? parent.appendChild(make('p', { class: 'notice' }))
    child.setAttribute('data-level', notice.level)
    setText(child, notice.text)
  }
}

function drawLists() {
  const status = history.last?.status
  setText(byId('worker-count'), status ? grouped(status.workerCount) : '')
  setText(byId('batch-count'), status ? grouped(status.batchCount) : '')
  workers.show(workerItems(history), status?.workerCount ?? 0,
    status ? 'No worker is connected.' : 'The coordinator has not replied yet.')
  batches.show(batchItems(history), status?.batchCount ?? 0,
    status ? 'There are no batches.' : 'The coordinator has not replied yet.')
}

/** @param {import('./values.js').Status} status */
const spool = ({ spoolBytes: used = 0, spoolLimit: limit = 0 }) =>
  (limit > 0 ? `${bytes(used)} of ${bytes(limit)}` : bytes(used))

function drawTotals() {
  const status = history.last?.status
  if (!status) return
  const { metrics } = status
  setText(byId('coordinator'), `Coordinator ${status.version} on ${status.host || 'this machine'}, process ${status.pid}`)
  setText(byId('uptime'), `${age(metrics.uptime)} ago`)
  const totals = [
    ['Batches done', grouped(metrics.batchesDone)], ['Failed', grouped(metrics.batchesFailed)],
    ['Cancelled', grouped(metrics.batchesCancelled)], ['Rows', short(metrics.rowsDone)],
    ['Jobs', short(metrics.jobsDone)], ['Retries', grouped(metrics.retries)],
    ['Workers lost', grouped(metrics.lostWorkers)], ['Rows received', bytes(metrics.rowBytesReceived)],
    ['Results sent', bytes(metrics.resultBytesSent)], ['Memory', bytes(status.memory)],
    ...(status.spoolBytes === undefined ? [] : [['Spool', spool(status)]]),
  ]
  const parent = byId('totals')
  for (const [index, [name, value]] of totals.entries()) {
    const entry = parent.children[index] ?? parent.appendChild(make('div', {}, make('dt'), make('dd')))
    setText(entry.firstChild, name)
    setText(entry.lastChild, value)
  }
}

/**
 * Selects the state that is nearest to the pointer, in all charts.
 *
 * @param {PointerEvent} event
 */
function select(event) {
  const plot = event.target instanceof Element ? event.target.closest('.plot') : null
  const shown = history.shown(span)
  if (!plot || !shown.length) {
    if (selected !== null) plan()
    selected = null
    return
  }
  const box = plot.getBoundingClientRect()
  const at = history.samples[history.samples.length - 1].time - span.seconds * (1 - (event.clientX - box.left) / box.width)
  /** @param {import('./history.js').Sample} sample */
  const distance = (sample) => Math.abs(sample.time - at)
  selected = shown.reduce((best, sample) => (distance(sample) < distance(best) ? sample : best)).time
  plan()
}

/** Lets the user choose the time that the charts show. */
function offerSpans() {
  const buttons = Object.values(spans).map((offered) => {
    const button = make('button', { type: 'button' }, `1 ${offered.name}`)
    button.addEventListener('click', () => {
      [span, selected] = [offered, null]
      mark()
      plan()
    })
    return { button, offered }
  })
  const mark = () => {
    for (const { button, offered } of buttons) button.setAttribute('aria-pressed', String(offered === span))
  }
  mark()
  byId('spans').append(...buttons.map(({ button }) => button))
}

// MARK: Events

/** @param {import('./events.js').Event} event */
function receive({ type, data, id }) {
  view.isReachable = true
  view.receivedAt = performance.now()
  history.add(Number(id) / 1000, type === 'lost' ? null : JSON.parse(data), type !== 'past')
  plan()
}

/** @param {boolean} isUnanswered */
function fail(isUnanswered) {
  view.isReachable = false
  view.isUnanswered = isUnanswered
  plan()
}

/**
 * Returns what is stored, or null where the browser permits no storage.
 *
 * @param {() => string | null | void} access
 */
function stored(access) {
  try {
    return access() ?? null
  } catch {
    return null
  }
}

/**
 * Asks the user for the token.
 *
 * @param {boolean} wasWrong
 * @returns {Promise<void>}
 */
function askForToken(wasWrong) {
  const form = byId('token')
  const input = byId('token-text', HTMLInputElement)
  if (wasWrong) {
    setText(byId('token-problem'), 'The gateway does not accept this token.')
    form.dataset.isWrong = 'true'
    stored(() => sessionStorage.removeItem(tokenKey))
  }
  form.hidden = false
  // The gateway has replied, also if it was not reached before.
  view.isReachable = true
  view.needsToken = true
  plan()
  input.value = ''
  input.focus()
  return new Promise((resolve) => {
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      form.hidden = true
      view.needsToken = false
      view.receivedAt = performance.now()
      const entered = input.value.trim()
      token = entered
      stored(() => sessionStorage.setItem(tokenKey, entered))
      resolve()
    }, { once: true })
  })
}

byId('charts').append(...figures.map((figure) => figure.node))
byId('charts').addEventListener('pointermove', select)
byId('charts').addEventListener('pointerdown', select)
byId('charts').addEventListener('pointerleave', select)
offerSpans()
draw()
// The ages in the notices grow also without events.
setInterval(draw, 1000)
// Relative, as all addresses of this page: a proxy may serve the gateway under a path.
followEvents('v1/events', { token: () => token, askForToken, receive, fail })
