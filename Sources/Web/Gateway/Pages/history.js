// The states of the pool in the last hour, and what follows from two of them: rates and times.

/**
 * The spans of time that the charts can show: `seconds` of them, a state each `step` seconds, and rates and times over the `window`
 * before each state. Those of an hour have room for a state that came late.
 */
export const spans = {
  hour: { name: 'hour', seconds: 3600, step: 10, window: 15 },
  minute: { name: 'minute', seconds: 60, step: 1, window: 5.5 },
}
const { hour, minute } = spans
/** The most states that the gateway sends again after a new connection. */
const resentStates = 460

export class History {
  /**
   * The states, oldest first: `{time, status, hasLists, lasts}`. The status is null while the coordinator did not reply. It
   * has no lists of workers and batches if it is older than a minute. States that last are kept for an hour.
   */
  samples = []
  /** The workers that ended in the last minute: `{worker, time, isLost}`. */
  ended = []
  /** For each batch, the rows that were done and since when: `{rows, time}`. */
  #progress = new Map()
  #known = 0

  /** The last state in which the coordinator replied, with its lists. */
  get last() {
    return this.samples.findLast((sample) => sample.status && sample.hasLists)
  }

  /**
   * Adds a state that is newer than the others. The gateway sends older ones again after a new connection; more than those
   * show that its clock was set back.
   */
  add(time, status, hasLists = true) {
    const end = this.samples.at(-1)
    if (end && time <= end.time) {
      this.#known += 1
      if (this.#known <= resentStates) return
      this.clear()
      return this.add(time, status, hasLists)
    }
    this.#known = 0
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
    this.#known = 0
  }

  /** Returns the seconds since a batch whose jobs run had the last row done, as far as this page has seen. */
  idle(batch) {
    const entry = this.#progress.get(batch.name)
    return entry && batch.running ? this.last.time - entry.time : 0
  }

  /** Removes what is not shown any more. The last state remains known while the coordinator is away. */
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

  #noteEnded(time, status) {
    const before = this.last?.status
    if (!before || isRestarted(before, status)) return
    // A list that has not all workers does not show which of them ended.
    if (before.workers.length < before.workerCount || status.workers.length < status.workerCount) return
    const names = new Set(status.workers.map((worker) => worker.name))
    const gone = before.workers.filter((worker) => !names.has(worker.name))
    const lost = status.metrics.lostWorkers - before.metrics.lostWorkers
    for (const worker of gone) this.ended.push({ worker, time, isLost: gone.length <= lost })
  }

  #noteProgress(time, status) {
    const progress = new Map()
    for (const batch of status.batches) {
      const before = this.#progress.get(batch.name)
      const isIdle = before && before.rows === batch.rowsDone && batch.running
      progress.set(batch.name, isIdle ? before : { rows: batch.rowsDone, time })
    }
    this.#progress = progress
  }

  /** Returns the states that the charts show of a span. */
  shown(span) {
    const end = this.samples.at(-1)?.time ?? 0
    return this.#of(span).filter((sample) => sample.time > end - span.seconds)
  }

  #of(span) {
    return span === hour ? this.samples.filter((sample) => sample.lasts) : this.samples
  }

  /**
   * Returns the values of a function at each state of a span: `{time, value}`, whose value is null where there is none. The
   * function receives the state, the oldest one in the window before it, and the one just before it.
   */
  series(value, span = minute) {
    const samples = this.#of(span)
    const end = this.samples.at(-1)
    const points = samples.flatMap((sample, index) => (sample.time > end.time - span.seconds
      ? [{ time: sample.time, value: valueAt(samples, index, value, span.window) }] : []))
    // The last state of an hour may not be one that lasts.
    return !end || samples.at(-1) === end ? points : [...points, { time: end.time, value: this.now(value) }]
  }

  /** Returns the value of a function at the last state, or null. */
  now(value) {
    return this.samples.length ? valueAt(this.samples, this.samples.length - 1, value, minute.window) : null
  }
}

/**
 * Returns whether a state is kept for an hour: the first one of each ten seconds, and each one with which the coordinator is
 * lost or found. The gateway chooses those that it sends at the start in the same way.
 */
function lasts(before, time, status) {
  const period = (seconds) => Math.floor(seconds / hour.step)
  return !before || period(before.time) !== period(time) || !before.status !== !status
}

/** Returns the value of a function at a state, or null. */
function valueAt(samples, index, value, window) {
  const { time, status } = samples[index]
  if (!status) return null
  const earlier = []
  for (let at = index - 1; at >= 0; at -= 1) {
    const sample = samples[at]
    if (!sample.status || sample.time < time - window || isRestarted(sample.status, status)) break
    earlier.push(sample.status)
  }
  return earlier.length ? value(status, earlier.at(-1), earlier[0]) : null
}

/** Returns whether another coordinator has begun to count between two states. */
const isRestarted = (before, after) =>
  before.pid !== after.pid || before.host !== after.host || after.metrics.uptime < before.metrics.uptime

/** Returns how much a counter grew per second. */
export const rate = (counter) => (status, earlier) => {
  const seconds = status.metrics.uptime - earlier.metrics.uptime
  return seconds > 0 ? (counter(status) - counter(earlier)) / seconds : null
}

/** Returns how much a counter grew from one state to the next. */
export const growth = (counter) => (status, earlier, previous) => counter(status) - counter(previous)

/** Returns the seconds that a share of the durations of a histogram did not exceed, or null if there were none. */
export const quantile = (histogram, share) => (status, earlier) => {
  const [after, before] = [status.metrics[histogram], earlier.metrics[histogram]]
  const total = after.count - before.count
  if (total <= 0) return null
  const rank = share * total
  let [counted, lower] = [0, 0]
  for (const [index, bucket] of after.buckets.entries()) {
    const upTo = bucket.count - before.buckets[index].count
    // The durations of a bucket are taken to have equal distances from each other.
    if (upTo >= rank && upTo > counted) return lower + ((bucket.le - lower) * (rank - counted)) / (upTo - counted)
    ;[counted, lower] = [upTo, bucket.le]
  }
  return lower
}
