// Tests of the dashboard's figures: node --test Tests/Dashboard/
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ceiling } from '../../Sources/Web/Pages/charts.js'
import { parser } from '../../Sources/Web/Gateway/Pages/events.js'
import { age, bytes, short, time } from '../../Sources/Web/Pages/format.js'
import { History, spans } from '../../Sources/Web/Gateway/Pages/history.js'
import { batchItems, workerItems } from '../../Sources/Web/Gateway/Pages/lists.js'
import { connection, notices } from '../../Sources/Web/Gateway/Pages/notices.js'
import { growth, quantile, rate } from '../../Sources/Web/Gateway/Pages/values.js'

// mulberry32, so that each run has the same cases.
function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let bits = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296
  }
}

const bounds = [0.001, 0.01, 0.1, 1, 10]
const histogram = (durations) => ({
  count: durations.length,
  buckets: bounds.map((le) => ({ le, count: durations.filter((duration) => duration <= le).length })),
})

function status(uptime, { rows = 0, retries = 0, workers = ['worker 1'], lost = 0, pid = 1, failed = 0 } = {}) {
  return {
    pid, host: 'a', workerCount: workers.length, workers: workers.map((name) => ({ name, pid: 2, host: 'a', rows })),
    batchCount: 0, batches: [],
    metrics: { uptime, rowsDone: rows, retries, lostWorkers: lost, batchesFailed: failed },
  }
}

test('events are the same however the stream is cut', () => {
  const next = random(1)
  for (let round = 0; round < 300; round += 1) {
    const sent = Array.from({ length: 5 }, (_, index) => ({
      type: next() < 0.5 ? 'status' : 'lost', id: `${index}`,
      data: Array.from({ length: 1 + Math.floor(next() * 3) }, () => `{"a": "${'x:'.repeat(next() * 9)}"}`).join('\n'),
    }))
    const text = ': connected\n\n' + sent.map(({ type, id, data }) =>
      `event: ${type}\nid: ${id}\n${data.split('\n').map((line) => `data: ${line}\n`).join('')}\n`).join('')
    const received = []
    const parse = parser((event) => received.push(event))
    for (let at = 0; at < text.length;) {
      const end = at + 1 + Math.floor(next() * 40)
      parse(text.slice(at, end))
      at = end
    }
    assert.deepEqual(received, sent)
  }
})

test('a quantile is in the bucket of the duration that has its rank', () => {
  const next = random(2)
  for (let round = 0; round < 2000; round += 1) {
    const durations = (count) => Array.from({ length: count }, () => 10 ** (next() * 4 - 3.5))
    const before = durations(Math.floor(next() * 20))
    const added = durations(1 + Math.floor(next() * 20))
    const share = next()
    const value = quantile('times', share)(
      { metrics: { times: histogram([...before, ...added]) } }, { metrics: { times: histogram(before) } })
    const exact = added.sort((a, b) => a - b)[Math.max(Math.ceil(share * added.length) - 1, 0)]
    const bucket = bounds.findIndex((bound) => exact <= bound)
    assert.ok(value <= bounds[bucket] && value >= (bounds[bucket - 1] ?? 0), `${value} for ${exact}`)
  }
  const same = { metrics: { times: histogram([1]) } }
  assert.equal(quantile('times', 0.5)(same, same), null)
})

test('rates are taken over five seconds of the same coordinator', () => {
  const history = new History()
  const rowsPerSecond = rate((state) => state.metrics.rowsDone)
  for (let at = 0; at <= 10; at += 1) history.add(100 + at, status(at, { rows: at * at }))
  assert.equal(history.now(rowsPerSecond), (100 - 25) / 5)
  assert.equal(history.now(growth((state) => state.metrics.rowsDone)), 19)
  history.add(111, null)
  assert.equal(history.now(rowsPerSecond), null)
  history.add(112, status(12, { rows: 144 }))
  assert.equal(history.now(rowsPerSecond), null, 'nothing is known of the time without replies')
  history.add(113, status(0.5, { pid: 2, rows: 7 }))
  assert.equal(history.now(rowsPerSecond), null, 'another coordinator counts from 0')
  history.add(114, status(1.5, { pid: 2, rows: 10 }))
  assert.equal(history.now(rowsPerSecond), 3)
})

test('a history has an hour, and the last minute of each second', () => {
  const history = new History()
  for (let at = 0; at < 9000; at += 1) history.add(at, status(at, { rows: 7 * at, workers: ['a', 'b'] }))
  assert.equal(history.shown(spans.minute).length, 60)
  assert.equal(history.shown(spans.hour).length, 360)
  assert.ok(history.samples.length < 60 + 360 + 10, `${history.samples.length}`)
  const rowsPerSecond = rate((state) => state.metrics.rowsDone)
  for (const span of Object.values(spans)) {
    for (const { value } of history.series(rowsPerSecond, span)) assert.equal(value, 7)
  }
  const [first, last] = [history.samples[0], history.samples.at(-1)]
  assert.deepEqual([first.status.workers.length, first.status.workerCount], [0, 2], 'lists are kept for a minute')
  assert.equal(last.status.workers.length, 2)
})

test('the last state remains known while the coordinator is away, and short interruptions remain in the hour', () => {
  const history = new History()
  for (let at = 0; at < 1800; at += 1) history.add(at, at === 905 ? null : status(at))
  assert.equal(history.shown(spans.hour).filter((sample) => !sample.status).length, 1)
  for (let at = 1800; at < 3000; at += 1) history.add(at, null)
  assert.equal(history.last.time, 1799)
  assert.equal(history.last.status.workers.length, 1)
})

test('states that the gateway sends again are known, and those of a clock that was set back are not', () => {
  const [history, other] = [new History(), new History()]
  for (let at = 5000; at < 8600; at += 1) {
    history.add(at, status(at))
    other.add(at, status(at))
  }
  for (let at = 5000; at < 8540; at += 10) history.add(at, status(at), false)
  for (let at = 8540; at < 8600; at += 1) history.add(at, status(at))
  assert.deepEqual(history.samples, other.samples)
  // A page that is slow has missed some of them.
  for (let at = 8540; at < 8549; at += 1) history.add(at + 0.5, status(at))
  assert.deepEqual(history.samples, other.samples)
  for (const offset of [-3600, -300, -30]) {
    // The clock does not show the same milliseconds again.
    const first = history.last.time + offset + 0.123
    for (let at = 0; at < 15; at += 1) history.add(first + at, status(at))
    assert.equal(history.last.time, first + 14)
  }
})

test('a batch whose jobs run without a further row is idle', () => {
  const history = new History()
  const add = (at, rowsDone, running) =>
    history.add(at, { ...status(at), batches: [{ name: 'b', rowsDone, running }] })
  add(0, 5, 2)
  add(1, 6, 2)
  for (let at = 2; at <= 40; at += 1) add(at, 6, 1)
  assert.equal(history.idle(history.last.status.batches[0]), 39)
  add(41, 7, 1)
  assert.equal(history.idle(history.last.status.batches[0]), 0)
  for (let at = 42; at <= 90; at += 1) add(at, 7, 0)
  assert.equal(history.idle(history.last.status.batches[0]), 0, 'it waits for rows or workers')
})

test('workers that were lost differ from those that ended', () => {
  const history = new History()
  history.add(1, status(1, { workers: ['worker 1', 'worker 2', 'worker 3'] }))
  history.add(2, status(2, { workers: ['worker 1', 'worker 3'], lost: 1 }))
  history.add(3, status(3, { workers: ['worker 3'], lost: 1 }))
  assert.deepEqual(history.ended.map(({ worker, lostShare }) => [worker.name, lostShare]), [['worker 2', 1], ['worker 1', 0]])
  history.add(4, status(1, { workers: [], pid: 2 }))
  assert.equal(history.ended.length, 2, 'a new coordinator has not lost the workers of the old one')
  history.add(90, status(87, { workers: [], pid: 2 }))
  assert.equal(history.ended.length, 0)
})

test('workers of which only some were lost are marked, and the lost ones are counted', () => {
  for (const [lost, text] of [
    [1, '1 of 3 workers that ended together was lost 0 s ago. Its jobs are done by other workers.'],
    [2, '2 workers were lost in the last minute.'],
  ]) {
    const history = new History()
    history.add(1, status(1, { workers: ['worker 1', 'worker 2', 'worker 3', 'worker 4'] }))
    history.add(2, status(2, { workers: ['worker 4'], lost }))
    assert.deepEqual(workerItems(history).map((item) => item.state), ['lost', 'lost', 'lost', 'there'])
    assert.equal(workerItems(history)[0].ended, 'lost? 0 s ago')
    assert.deepEqual(notices({ history, isReachable: true, needsToken: false, silence: 0 }), [{ level: 'warning', text }])
  }
})

test('notices tell what is wrong', () => {
  const history = new History()
  const view = { history, isReachable: true, needsToken: false, silence: 0 }
  const texts = (changes) => notices({ ...view, ...changes }).map((notice) => notice.text)
  assert.deepEqual(texts(), [])
  history.add(1, status(1, { workers: ['worker 1', 'worker 2'] }))
  assert.deepEqual(texts(), [])
  assert.equal(connection(view).text, 'live, 2 workers')
  history.add(2, status(2, { lost: 1 }))
  assert.deepEqual(texts(), ['worker 2 (process 2 on a) was lost 0 s ago. Its jobs are done by other workers.'])
  history.add(3, status(3, { workers: [], lost: 2, failed: 1 }))
  assert.deepEqual(texts(), [
    'No worker is connected. Batches wait until one connects.', '2 workers were lost in the last minute.',
    '1 batch failed in the last minute.',
  ])
  history.add(10, null)
  assert.deepEqual(
    texts(), ['The coordinator does not reply. Requests for layouts get status 503 until it does. The figures are 7 s old.'])
  assert.deepEqual(texts({ silence: 8 }), ['The gateway has sent nothing for 8 s. The figures are 8 s old.'])
  assert.deepEqual(texts({ isReachable: false, silence: 9 }), ['The gateway does not reply. The figures are 9 s old.'])
  assert.match(texts({ isReachable: false, isUnanswered: true })[0], /or this tab waits for a connection: a browser opens six/)
})

test('batches that fail before and after a restart of the coordinator are counted', () => {
  const history = new History()
  const texts = () => notices({ history, isReachable: true, needsToken: false, silence: 0 }).map((notice) => notice.text)
  history.add(1, status(1000, { failed: 7 }))
  history.add(2, status(1001, { failed: 9 }))
  history.add(3, null)
  history.add(4, status(0.5, { pid: 2, failed: 0 }))
  assert.deepEqual(texts(), ['2 batches failed in the last minute.'])
  history.add(5, status(1.5, { pid: 2, failed: 3 }))
  assert.deepEqual(texts(), ['5 batches failed in the last minute.'])
  for (let at = 6; at < 70; at += 1) history.add(at, status(at, { pid: 2, failed: 3 }))
  assert.deepEqual(texts(), [])
})

test('a pause is an error, and late and silent workers are no live ones', () => {
  const view = (changes) => {
    const history = new History()
    history.add(1, { ...status(1, { workers: ['worker 1', 'worker 2'] }), ...changes })
    return { history, isReachable: true, needsToken: false, silence: 0 }
  }
  const worker = (name, more) => ({ name, pid: 2, host: 'a', rows: 0, seen: 1, jobs: 0, jobAge: 0, late: false, ...more })
  const batches = [{ name: 'b', state: 'paused', waiting: 'the disk is full' }, { name: 'c', state: 'running' }]
  const expected = [
    [{ batches, pausedBatches: 2 }, 'error', '2 batches paused',
      ['error: 2 batches are paused: the disk is full. They continue when the cause is removed.']],
    [{ batches }, 'error', '1 batch paused',
      ['error: 1 batch is paused: the disk is full. It continues when the cause is removed.']],
    [{ accepting: false, spoolBytes: 2 ** 30, spoolLimit: 2 ** 30 }, 'error', 'accepts no batches',
      ['error: The coordinator accepts no new batches. The spool has 1 GiB of 1 GiB.']],
    [{ accepting: true, spoolBytes: 0.95 * 2 ** 30, spoolLimit: 2 ** 30 }, 'live', 'live, 2 workers',
      ['warning: The spool is nearly full. The spool has 973 MiB of 1 GiB. New batches are refused at the limit.']],
    [{ accepting: true, spoolBytes: 5, spoolLimit: 0, pausedBatches: 0 }, 'live', 'live, 2 workers', []],
    [{ workers: [worker('worker 1'), worker('worker 2', { late: true, jobs: 1, jobAge: 45 })] }, 'warning', 'live, 2 workers, 1 late',
      ['warning: worker 2 (process 2 on a) is late: its job has run for 45 s, longer than expected.']],
    [{ workers: [worker('worker 1'), worker('worker 2', { late: true, seen: 9.2 })] }, 'warning', 'live, 2 workers, 1 silent',
      ['warning: worker 2 (process 2 on a) has sent no message for 9 s.']],
    [{ workers: [worker('worker 1', { seen: 50 }), worker('worker 2', { seen: 31 })] }, 'warning', 'live, 2 workers, 2 silent',
      ['error: 2 workers have sent no message for 31 s or longer.']],
  ]
  for (const [changes, level, text, texts] of expected) {
    const seen = view(changes)
    assert.deepEqual({ ...connection(seen) }, { level, text, isCurrent: true })
    assert.deepEqual(notices(seen).map((notice) => `${notice.level}: ${notice.text}`), texts)
  }
})

test('lists mark what is wrong', () => {
  const history = new History()
  const worker = (name, more) => ({ name, pid: 2, host: 'a', rows: 0, jobs: 0, ...more })
  const state = (at) => ({
    ...status(at),
    workers: [
      worker('old'), worker('late', { late: true, jobs: 1, seen: 4 }), worker('idle', { late: true, seen: 6 }),
      worker('silent', { late: true, seen: 31 }),
    ],
    batches: ['paused', 'failed', 'unreadable', 'running'].map((name) => ({ name, state: name, waiting: '', rowsDone: 3, running: 1 })),
  })
  for (let at = 0; at < 20; at += 1) history.add(at, state(at))
  assert.deepEqual(workerItems(history).map((item) => item.state), ['there', 'late', 'quiet', 'silent'])
  assert.deepEqual(batchItems(history).map((item) => item.late), [1, 1, 1, 1], 'no batch waits for a worker without a job')
  assert.deepEqual(batchItems(history).map((item) => item.state), ['lost', 'lost', 'lost', 'late'])
})

test('the top of a chart is the next round number', () => {
  const next = random(3)
  for (let round = 0; round < 2000; round += 1) {
    const value = 10 ** (next() * 12 - 6)
    const top = ceiling(value)
    assert.ok(top >= value * (1 - 1e-9) && top <= value * 2.5, `${top} for ${value}`)
    assert.match(top.toExponential(6), /^[125]\.0+e/)
  }
  assert.equal(ceiling(1000), 1000)
})

test('numbers have three digits and a unit', () => {
  assert.deepEqual([0, 7, 999, 1000, 12345, 999_600, 2.5e9].map(short), ['0', '7', '999', '1 k', '12.3 k', '1.00 M', '2.50 G'])
  assert.deepEqual([0, 1023, 1024, 133 * 2 ** 20].map(bytes), ['0 B', '1023 B', '1 KiB', '133 MiB'])
  assert.deepEqual([0, 0.00005, 0.00123, 0.0667, 0.9996, 12.34].map(time), ['0 ms', '50 µs', '1.23 ms', '66.7 ms', '1.00 s', '12.3 s'])
  assert.deepEqual([5, 120, 7200, 864000].map(age), ['5 s', '2 min', '2 h', '10 d'])
})
