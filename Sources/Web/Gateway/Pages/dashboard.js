// The dashboard of a pool: it shows the events of the gateway and the hour before the last one.

import { Chart } from './chart.js'
import { element, setText } from './elements.js'
import { followEvents } from './events.js'
import { age, bytes, count, short, time } from './format.js'
import { History, growth, quantile, rate, spans } from './history.js'
import { List, batchColumns, batchItems, workerColumns, workerItems } from './lists.js'
import { connection, notices } from './notices.js'

const tokenKey = 'galley token'

const node = (id) => document.getElementById(id)

const times = (histogram) => [
  { name: 'p50', value: quantile(histogram, 0.5) },
  { name: 'p99', value: quantile(histogram, 0.99) },
]
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
  { title: 'Retries', note: 'of jobs', format: count, least: 5, bars: true,
    lines: [{ name: 'jobs', value: growth((status) => status.metrics.retries) }] },
]

const history = new History()
const charts = descriptions.map((description) => new Chart(description))
const workers = new List(node('workers'), workerColumns)
const batches = new List(node('batches'), batchColumns)
/** Whether the gateway replies, whether it waits for a token, and when it sent the last event by the clock of this page. */
const view = { history, isReachable: true, needsToken: false, receivedAt: performance.now() }
/** The time that the charts show. */
let span = spans.hour
/** The time of the state that the pointer selects in the charts, or null. */
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
  setText(node('connection'), state.text)
  node('connection').dataset.state = state.level
  document.title = state.level === 'error' ? `Galley: ${state.text}` : 'Galley'
  show(notices(seen))
  node('pool').dataset.isCurrent = state.isCurrent
  node('pool').hidden = !history.samples.length
  if (!history.samples.length) return
  if (selected !== null && !history.shown(span).some((sample) => sample.time === selected)) selected = null
  for (const chart of charts) chart.draw(history, span, selected)
  drawLists()
  drawTotals()
}

/** Shows notices. A text that remains the same is not announced again by screen readers. */
function show(list) {
  const parent = node('notices')
  while (parent.children.length > list.length) parent.lastElementChild.remove()
  for (const [index, notice] of list.entries()) {
    const child = parent.children[index] ?? parent.appendChild(element('p', 'notice'))
    child.dataset.level = notice.level
    setText(child, notice.text)
  }
}

function drawLists() {
  const status = history.last?.status
  setText(node('worker-count'), status ? count(status.workerCount) : '')
  setText(node('batch-count'), status ? count(status.batchCount) : '')
  workers.show(status ? workerItems(history) : [], {
    total: status?.workerCount ?? 0,
    empty: status ? 'No worker is connected.' : 'The coordinator has not replied yet.',
  })
  batches.show(status ? batchItems(history) : [], {
    total: status?.batchCount ?? 0,
    empty: status ? 'There are no batches.' : 'The coordinator has not replied yet.',
  })
}

const spool = ({ spoolBytes: used, spoolLimit: limit }) =>
  (limit > 0 ? `${bytes(used)} of ${bytes(limit)}` : bytes(used))

function drawTotals() {
  const status = history.last?.status
  if (!status) return
  const { metrics } = status
  setText(node('coordinator'), `Coordinator ${status.version} on ${status.host || 'this machine'}, process ${status.pid}`)
  setText(node('uptime'), `${age(metrics.uptime)} ago`)
  const totals = [
    ['Batches done', count(metrics.batchesDone)], ['Failed', count(metrics.batchesFailed)],
    ['Cancelled', count(metrics.batchesCancelled)], ['Rows', short(metrics.rowsDone)],
    ['Jobs', short(metrics.jobsDone)], ['Retries', count(metrics.retries)],
    ['Workers lost', count(metrics.lostWorkers)], ['Rows received', bytes(metrics.rowBytesReceived)],
    ['Results sent', bytes(metrics.resultBytesSent)], ['Memory', bytes(status.memory)],
    ...(status.spoolBytes === undefined ? [] : [['Spool', spool(status)]]),
  ]
  const parent = node('totals')
  for (const [index, [name, value]] of totals.entries()) {
    const entry = parent.children[index] ?? parent.appendChild(element('div', '', element('dt'), element('dd')))
    setText(entry.firstChild, name)
    setText(entry.lastChild, value)
  }
}

/** Selects the state that is nearest to the pointer, in all charts. */
function select(event) {
  const plot = event.target.closest?.('.plot')
  const shown = history.shown(span)
  if (!plot || !shown.length) {
    if (selected !== null) [selected] = [null, plan()]
    return
  }
  const box = plot.getBoundingClientRect()
  const at = history.samples.at(-1).time - span.seconds * (1 - (event.clientX - box.left) / box.width)
  const distance = (sample) => Math.abs(sample.time - at)
  selected = shown.reduce((best, sample) => (distance(sample) < distance(best) ? sample : best)).time
  plan()
}

/** Lets the user choose the time that the charts show. */
function offerSpans() {
  const buttons = Object.values(spans).map((offered) => {
    const button = element('button', '', `1 ${offered.name}`)
    button.type = 'button'
    button.addEventListener('click', () => {
      [span, selected] = [offered, null]
      mark()
      plan()
    })
    return { button, offered }
  })
  const mark = () => {
    for (const { button, offered } of buttons) button.setAttribute('aria-pressed', offered === span)
  }
  mark()
  node('spans').append(...buttons.map(({ button }) => button))
}

// MARK: Events

function receive({ type, data, id }) {
  view.isReachable = true
  view.receivedAt = performance.now()
  history.add(Number(id) / 1000, type === 'lost' ? null : JSON.parse(data), type !== 'past')
  plan()
}

function fail() {
  view.isReachable = false
  plan()
}

/** Returns what is stored, or null where the browser permits no storage. */
function stored(access) {
  try {
    return access() ?? null
  } catch {
    return null
  }
}

/** Asks the user for the token. */
function askForToken(wasWrong) {
  const form = node('token')
  const input = node('token-text')
  if (wasWrong) {
    setText(node('token-problem'), 'The gateway does not accept this token.')
    form.dataset.isWrong = true
    stored(() => sessionStorage.removeItem(tokenKey))
  }
  form.hidden = false
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
      token = input.value.trim()
      stored(() => sessionStorage.setItem(tokenKey, token))
      resolve()
    }, { once: true })
  })
}

node('charts').append(...charts.map((chart) => chart.node))
node('charts').addEventListener('pointermove', select)
node('charts').addEventListener('pointerdown', select)
node('charts').addEventListener('pointerleave', select)
offerSpans()
draw()
// The ages in the notices grow also without events.
setInterval(draw, 1000)
followEvents('/v1/events', { token: () => token, askForToken, receive, fail })
