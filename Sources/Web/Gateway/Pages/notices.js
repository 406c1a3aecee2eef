// What the page says about the state of the pool, the gravest first.

import { age, bytes, counted, grouped } from './format.js'

/** The seconds without an event after which the figures are called old. The gateway sends one each second. */
export const staleSeconds = 5
/** The seconds without a further row after which a batch whose jobs run is called slow. */
export const slowSeconds = 10
/** The seconds without a message after which a worker is called silent. */
const silentSeconds = 30
/** The share of the limit of the spool from which it is called nearly full. */
const fullShare = 0.9

/** @typedef {import('./values.js').Worker} Worker */
/** @typedef {import('./values.js').Status} Status */
/** @typedef {import('./history.js').History} History */
/** @typedef {{ level: 'error' | 'warning' | 'wait' | 'live', text: string }} Notice */

/**
 * What the page knows. `silence` is the time since the last event in seconds. `isUnanswered` is true if the last request got no
 * reply, and false if it was refused.
 *
 * @typedef {{ history: History, isReachable: boolean, isUnanswered: boolean, needsToken: boolean, silence: number }} View
 */

/**
 * Returns whether the job of a worker runs for longer than expected.
 *
 * @param {Worker} worker
 */
export const isLate = (worker) => worker.late && worker.jobs > 0

/**
 * Returns the state of a worker. It is silent if it has sent no message for long, and quiet if it has no job and has sent no
 * message for some seconds, in which the coordinator sent it pings.
 *
 * @param {Worker} worker
 */
export function workerState(worker) {
  if (worker.seen > silentSeconds) return 'silent'
  if (isLate(worker)) return 'late'
  return worker.late ? 'quiet' : 'there'
}

/**
 * Returns the notices.
 *
 * @param {View} view
 * @returns {Notice[]}
 */
export function notices({ history, isReachable, isUnanswered, needsToken, silence }) {
  if (needsToken) return []
  const last = history.last
  const end = history.samples.at(-1)
  if (!isReachable) {
    // A page cannot see whether the browser has sent its request.
    const cause = ', or this tab waits for a connection: a browser opens six to a gateway, and each tab with a dashboard keeps one'
    return [{
      level: 'error', text: `The gateway does not reply${isUnanswered ? cause : ''}.${ageOf(last && silence)}`,
    }]
  }
  if (silence > staleSeconds) {
    return [{ level: 'error', text: `The gateway has sent nothing for ${age(silence)}.${ageOf(last && silence)}` }]
  }
  if (!end) return []
  if (!end.status) {
    return [{
      level: 'error',
      text: 'The coordinator does not reply. Requests for layouts get status 503 until it does.'
        + ageOf(last && end.time - last.time),
    }]
  }
  const found = [...ofSpool(end.status), ...ofWorkers(history, end.status), ...ofBatches(history)]
  return [...found.filter(isError), ...found.filter((notice) => !isError(notice))]
}

/** @param {Notice} notice */
const isError = (notice) => notice.level === 'error'

/** @param {number | undefined} seconds */
const ageOf = (seconds) => (seconds === undefined ? '' : ` The figures are ${age(seconds)} old.`)

/**
 * @param {History} history
 * @param {Status} status
 */
function ofWorkers(history, status) {
  /** @type {Notice[]} */
  const found = []
  if (status.workerCount === 0) {
    found.push({ level: 'error', text: 'No worker is connected. Batches wait until one connects.' })
  }
  found.push(...ofLateWorkers(status))
  const ended = history.ended.filter((entry) => entry.lostShare > 0)
  const lost = Math.round(ended.reduce((sum, entry) => sum + entry.lostShare, 0))
  if (lost === 1) {
    const { worker, time } = ended[0]
    found.push({
      level: 'warning',
      text: `${ended.length === 1 ? named(worker) : `1 of ${grouped(ended.length)} workers that ended together`} was lost `
        + `${age((history.last?.time ?? time) - time)} ago.${status.workerCount ? ' Its jobs are done by other workers.' : ''}`,
    })
  } else if (lost > 1) {
    found.push({ level: 'warning', text: `${counted(lost, 'worker')} were lost in the last minute.` })
  }
  return found
}

/** @param {Status} status */
function ofLateWorkers({ workers }) {
  /** @type {Notice[]} */
  const found = []
  const late = workers.filter(isLate).sort((a, b) => b.jobAge - a.jobAge)
  if (late.length === 1) {
    found.push({
      level: 'warning', text: `${named(late[0])} is late: its job has run for ${age(late[0].jobAge)}, longer than expected.`,
    })
  } else if (late.length > 1) {
    found.push({
      level: 'warning', text: `${counted(late.length, 'worker')} are late. The oldest job has run for ${age(late[0].jobAge)}.`,
    })
  }
  found.push(...ofSilence('error', workers.filter((worker) => workerState(worker) === 'silent')))
  found.push(...ofSilence('warning', workers.filter((worker) => workerState(worker) === 'quiet')))
  return found
}

/**
 * @param {Notice['level']} level
 * @param {Worker[]} workers
 * @returns {Notice[]}
 */
function ofSilence(level, workers) {
  if (!workers.length) return []
  const silence = age(Math.min(...workers.map((worker) => worker.seen)))
  return [{
    level,
    text: workers.length === 1 ? `${named(workers[0])} has sent no message for ${silence}.`
      : `${counted(workers.length, 'worker')} have sent no message for ${silence} or longer.`,
  }]
}

/** @param {Worker} worker */
const named = (worker) => `${worker.name} (process ${worker.pid}${worker.host && ` on ${worker.host}`})`

/**
 * Returns the notices about what the coordinator accepts and stores.
 *
 * @param {Status} status
 */
function ofSpool(status) {
  /** @type {Notice[]} */
  const found = []
  const { spoolBytes: used = 0, spoolLimit: limit = 0 } = status
  const room = limit > 0 ? ` The spool has ${bytes(used)} of ${bytes(limit)}.` : ''
  if (status.accepting === false) {
    found.push({ level: 'error', text: `The coordinator accepts no new batches.${room}` })
  } else if (limit > 0 && used >= limit * fullShare) {
    found.push({ level: 'warning', text: `The spool is nearly full.${room} New batches are refused at the limit.` })
  }
  const paused = pausedBatches(status)
  if (paused > 0) {
    const reason = status.batches.find((batch) => batch.state === 'paused')?.waiting
    found.push({
      level: 'error',
      text: `${counted(paused, 'batch is paused', 'batches are paused')}${reason ? `: ${reason}` : ''}. `
        + `${paused === 1 ? 'It continues' : 'They continue'} when the cause is removed.`,
    })
  }
  return found
}

/**
 * Returns the number of paused batches. The list may not have all of them.
 *
 * @param {Status} status
 */
const pausedBatches = (status) => status.pausedBatches ?? status.batches.filter((batch) => batch.state === 'paused').length

/**
 * @param {History} history
 * @returns {Notice[]}
 */
function ofBatches(history) {
  const failed = history.growth((state) => state.metrics.batchesFailed)
  if (!(failed > 0)) return []
  return [{ level: 'warning', text: `${counted(failed, 'batch', 'batches')} failed in the last minute.` }]
}

/**
 * Returns the state of the connection, and whether the figures are those of now.
 *
 * @param {View} view
 * @returns {Notice & { isCurrent: boolean }}
 */
export function connection({ history, isReachable, isUnanswered, needsToken, silence }) {
  const end = history.samples.at(-1)
  /** @param {Notice['level']} level @param {string} text */
  const old = (level, text) => ({ level, text, isCurrent: false })
  if (needsToken) return old('wait', 'token required')
  if (!isReachable) return old('error', isUnanswered ? 'no reply' : 'no gateway')
  if (silence > staleSeconds) return old('error', `silent for ${age(silence)}`)
  if (!end) return old('wait', 'connecting')
  if (!end.status) return old('error', 'no coordinator')
  return { ...ofPool(end.status), isCurrent: true }
}

/** @param {Status} status @returns {Notice} */
function ofPool(status) {
  const paused = pausedBatches(status)
  const states = status.workers.map(workerState)
  const late = states.filter((state) => state === 'late').length
  const silent = states.filter((state) => state === 'silent' || state === 'quiet').length
  const workers = counted(status.workerCount, 'worker')
  if (status.workerCount === 0) return { level: 'error', text: 'no worker' }
  if (status.accepting === false) return { level: 'error', text: 'accepts no batches' }
  if (paused > 0) return { level: 'error', text: `${counted(paused, 'batch', 'batches')} paused` }
  const text = `live, ${workers}${late ? `, ${grouped(late)} late` : ''}${silent ? `, ${grouped(silent)} silent` : ''}`
  return { level: late || silent ? 'warning' : 'live', text }
}
