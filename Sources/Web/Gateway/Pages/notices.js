// What the page says about the state of the pool, the gravest first.

import { age, count, counted } from './format.js'

/** The seconds without an event after which the figures are called old. The gateway sends one each second. */
export const staleSeconds = 5

/**
 * Returns the notices: `{level, text}`.
 * @param {{history: any, isReachable: boolean, needsToken: boolean, silence: number}} view - `silence` is the time in seconds since the last
 *   event.
 */
export function notices({ history, isReachable, needsToken, silence }) {
  if (needsToken) return []
  const last = history.last
  const end = history.samples.at(-1)
  if (!isReachable) {
    return [{ level: 'error', text: `The gateway does not reply.${ageOf(last && silence)}` }]
  }
  if (!end) return []
  if (silence > staleSeconds) {
    return [{ level: 'error', text: `The gateway has sent nothing for ${age(silence)}.${ageOf(last && silence)}` }]
  }
  if (!end.status) {
    return [{
      level: 'error',
      text: 'The coordinator does not reply. Requests for layouts get status 503 until it does.'
        + ageOf(last && end.time - last.time),
    }]
  }
  return [...ofWorkers(history, end.status), ...ofBatches(history, end.status)]
}

const ageOf = (seconds) => (seconds === undefined ? '' : ` The figures are ${age(seconds)} old.`)

function ofWorkers(history, status) {
  const found = []
  if (status.workerCount === 0) {
    found.push({ level: 'error', text: 'No worker is connected. Batches wait until one connects.' })
  }
  const lost = history.ended.filter((entry) => entry.isLost)
  if (lost.length === 1) {
    const { worker, time } = lost[0]
    found.push({
      level: 'warning',
      text: `${worker.name} (process ${worker.pid}${worker.host && ` on ${worker.host}`}) was lost `
        + `${age(history.last.time - time)} ago.`
        + (status.workerCount ? ' Its jobs are done by other workers.' : ''),
    })
  } else if (lost.length > 1) {
    found.push({ level: 'warning', text: `${counted(lost.length, 'worker')} were lost in the last minute.` })
  }
  return found
}

function ofBatches(history, status) {
  const first = history.samples.find((sample) => sample.status)?.status
  const failed = status.metrics.batchesFailed - (first?.metrics.batchesFailed ?? 0)
  if (!(failed > 0)) return []
  return [{ level: 'warning', text: `${counted(failed, 'batch', 'batches')} failed in the last minute.` }]
}

/** Returns the text of the state of the connection, and its level. */
export function connection({ history, isReachable, needsToken, silence }) {
  if (needsToken) return { level: 'wait', text: 'token required' }
  const end = history.samples.at(-1)
  if (!isReachable) return { level: 'error', text: 'no gateway' }
  if (!end) return { level: 'wait', text: 'connecting' }
  if (silence > staleSeconds) return { level: 'error', text: `silent for ${age(silence)}` }
  if (!end.status) return { level: 'error', text: 'no coordinator' }
  if (end.status.workerCount === 0) return { level: 'error', text: 'no worker' }
  return { level: 'live', text: `live, ${count(end.status.workerCount)} ${end.status.workerCount === 1 ? 'worker' : 'workers'}` }
}
