// The states of the pool in the last hour.

/** @typedef {import('./values.js').Status} Status */
/** @typedef {import('./values.js').Worker} Worker */
/** @typedef {import('./values.js').Batch} Batch */
/** @typedef {import('./values.js').Value} Value */
/** @typedef {import('./values.js').Counter} Counter */

/**
 * A state at a time. The status is null while the coordinator did not reply. It has no lists of workers and batches if it is
 * older than a minute. States that last are kept for an hour.
 *
 * @typedef {{ time: number, status: Status | null, hasLists: boolean, lasts: boolean }} Sample
 */

/** @typedef {Sample & { status: Status }} KnownSample */

/** @typedef {{ name: string, seconds: number, step: number, window: number }} Span */

/**
 * The spans of time that the charts can show: `seconds` of them, a state each `step` seconds, and rates and times over the `window`
 * before each state. Those of an hour have room for a state that came late.
 */
export const spans = {
  hour: { name: 'hour', seconds: 3600, step: 10, window: 15 },
  minute: { name: 'minute', seconds: 60, step: 1, window: 5.5 },
}
const { hour, minute } = spans
/**
 * The most successive states that this page may have missed before the gateway sent them again. It knows one of each ten seconds of
 * those that are sent again.
 */
const missedStates = 10

export class History {
  /**
   * The states, oldest first.
   *
   * @type {Sample[]}
   */
  samples = []
  /**
   * The workers that ended in the last minute. `lostShare` is the share of lost workers among those that ended at that time. Between
   * 0 and 1, it is unknown which of them were lost: the coordinator only counts them.
   *
   * @type {{ worker: Worker, time: number, lostShare: number }[]}
   */
  ended = []
  /**
   * For each batch, the rows that were done and since when.
   *
   * @type {Map<string, { rows: number, time: number }>}
   */
  #progress = new Map()
  #unknown = 0

  /** The last state in which the coordinator replied, with its lists. */
  get last() {
    for (let index = this.samples.length - 1; index >= 0; index -= 1) {
      const sample = this.samples[index]
      if (sample.hasLists && isKnown(sample)) return sample
    }
    return undefined
  }

  /**
   * Adds a state that is newer than the others. The gateway sends older ones again after a new connection; those that this page has
   * never received show that its clock was set back.
   *
   * @param {number} time
   * @param {Status | null} status
   */
  add(time, status, hasLists = true) {
    const end = this.samples.at(-1)
    if (end && time <= end.time) {
      // States without lists are always sent again.
      if (hasLists) this.#unknown = this.samples.some((sample) => sample.time === time) ? 0 : this.#unknown + 1
      if (this.#unknown <= missedStates) return
      this.clear()
      this.add(time, status, hasLists)
      return
    }
    this.#unknown = 0
    if (status && hasLists) {
      this.#noteEnded(time, status)
      this.#noteProgress(time, status)
    }
    this.samples.push({ time, status, hasLists, lasts: lasts(end, time, status) })
    this.ended = this.ended.filter((entry) => entry.time > time - minute.seconds)
    this.#forget(time)
  }

  clear() {
    this.samples = []
    this.ended = []
    this.#progress.clear()
    this.#unknown = 0
  }

  /**
   * Returns the seconds since a batch whose jobs run had the last row done, as far as this page has seen.
   *
   * @param {Batch} batch
   */
  idle(batch) {
    const entry = this.#progress.get(batch.name)
    return entry && batch.running && this.last ? this.last.time - entry.time : 0
  }

  /**
   * Removes what is not shown any more. The last state remains known while the coordinator is away.
   *
   * @param {number} time
   */
  #forget(time) {
    const last = this.last
    const recent = time - minute.seconds - minute.window
    this.samples = this.samples.filter((sample) => {
      if (sample === last || sample.time > recent) return true
      if (sample.status && sample.hasLists) {
        sample.status = { ...sample.status, workers: [], batches: [], clients: [] }
        sample.hasLists = false
      }
      return sample.lasts && sample.time > time - hour.seconds - hour.window
    })
  }

  /** @param {number} time @param {Status} status */
  #noteEnded(time, status) {
    const before = this.last?.status
    if (!before || isRestarted(before, status)) return
    // A list that has not all workers does not show which of them ended.
    if (before.workers.length < before.workerCount || status.workers.length < status.workerCount) return
    const names = new Set(status.workers.map((worker) => worker.name))
    const gone = before.workers.filter((worker) => !names.has(worker.name))
    const lost = status.metrics.lostWorkers - before.metrics.lostWorkers
    for (const worker of gone) this.ended.push({ worker, time, lostShare: Math.min(lost / gone.length, 1) })
  }

  /** @param {number} time @param {Status} status */
  #noteProgress(time, status) {
    const progress = new Map()
    for (const batch of status.batches) {
      const before = this.#progress.get(batch.name)
      const isIdle = before && before.rows === batch.rowsDone && batch.running
      progress.set(batch.name, isIdle ? before : { rows: batch.rowsDone, time })
    }
    this.#progress = progress
  }

  /**
   * Returns the states that the charts show of a span.
   *
   * @param {Span} span
   */
  shown(span) {
    const end = this.samples.at(-1)?.time ?? 0
    return this.#of(span).filter((sample) => sample.time > end - span.seconds)
  }

  /** @param {Span} span */
  #of(span) {
    return span === hour ? this.samples.filter((sample) => sample.lasts) : this.samples
  }

  /**
   * Returns the values at each state of a span.
   *
   * @param {Value} value
   * @param {Span} span
   * @returns {import('./charts.js').Point[]}
   */
  series(value, span = minute) {
    const samples = this.#of(span)
    const end = this.samples.at(-1)
    if (!end) return []
    const points = samples.flatMap((sample, index) => (sample.time > end.time - span.seconds
      ? [{ time: sample.time, value: valueAt(samples, index, value, span.window) }] : []))
    // The last state of an hour may not be one that lasts.
    return samples.at(-1) === end ? points : [...points, { time: end.time, value: this.now(value) }]
  }

  /**
   * Returns the value at the last state, or null.
   *
   * @param {Value} value
   */
  now(value) {
    return this.samples.length ? valueAt(this.samples, this.samples.length - 1, value, minute.window) : null
  }

  /**
   * Returns how much a counter grew in the last minute. Each coordinator counts from 0.
   *
   * @param {Counter} counter
   */
  growth(counter) {
    const states = this.shown(minute).filter(isKnown).map((sample) => sample.status)
    return states.slice(1).reduce((sum, status, index) => {
      const before = states[index]
      return sum + counter(status) - (isRestarted(before, status) ? 0 : counter(before))
    }, 0)
  }
}

/**
 * Returns whether a state is kept for an hour: the first one of each ten seconds, and each one with which the coordinator is
 * lost or found. The gateway chooses those that it sends at the start in the same way.
 *
 * @param {Sample | undefined} before
 * @param {number} time
 * @param {Status | null} status
 */
function lasts(before, time, status) {
  /** @param {number} seconds */
  const period = (seconds) => Math.floor(seconds / hour.step)
  return !before || period(before.time) !== period(time) || !before.status !== !status
}

/**
 * @param {Sample} sample
 * @returns {sample is KnownSample}
 */
function isKnown(sample) {
  return sample.status !== null
}

/**
 * Returns the value at a state, or null.
 *
 * @param {Sample[]} samples
 * @param {number} index
 * @param {Value} value
 * @param {number} window
 */
function valueAt(samples, index, value, window) {
  const { time, status } = samples[index]
  if (!status) return null
  /** @type {Status[]} */
  const earlier = []
  for (let at = index - 1; at >= 0; at -= 1) {
    const sample = samples[at]
    if (!sample.status || sample.time < time - window || isRestarted(sample.status, status)) break
    earlier.push(sample.status)
  }
  return earlier.length ? value(status, earlier[earlier.length - 1], earlier[0]) : null
}

/**
 * Returns whether another coordinator has begun to count between two states.
 *
 * @param {Status} before
 * @param {Status} after
 */
const isRestarted = (before, after) =>
  before.pid !== after.pid || before.host !== after.host || after.metrics.uptime < before.metrics.uptime
