// The states of the pool in the last minute, and what follows from two of them: rates and times.

/** The seconds that the charts show. */
export const shownSeconds = 60
/** The seconds over which a rate or a time is taken. */
const windowSeconds = 5

export class History {
  /** The states, oldest first: `{time, status}`, whose status is null while the coordinator did not reply. */
  samples = []
  /** The workers that ended in the last minute: `{worker, time, isLost}`. */
  ended = []

  /** The last state in which the coordinator replied. */
  get last() {
    return this.samples.findLast((sample) => sample.status)
  }

  /** Adds a state. Times are in seconds and do not decrease. */
  add(time, status) {
    if (status) this.#noteEnded(time, status)
    this.samples.push({ time, status })
    const isShown = (entry) => entry.time > time - shownSeconds
    this.ended = this.ended.filter(isShown)
    // The last state remains known while the coordinator is away.
    const last = this.last
    this.samples = this.samples.filter(
      (entry) => entry.time > time - shownSeconds - windowSeconds || entry === last)
  }

  clear() {
    this.samples = []
    this.ended = []
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

  /**
   * Returns the values of a function at each shown state: `{time, value}`, whose value is null where there is none. The
   * function receives the state, the oldest one in the window before it, and the one just before it.
   */
  series(value) {
    const end = this.samples.at(-1)?.time ?? 0
    return this.samples
      .map((sample, index) => ({ sample, earlier: this.#earlier(index) }))
      .filter(({ sample }) => sample.time > end - shownSeconds)
      .map(({ sample, earlier }) => ({
        time: sample.time,
        value: sample.status && earlier.length ? value(sample.status, earlier.at(-1), earlier[0]) : null,
      }))
  }

  /** Returns the value of a function at the last state, or null. */
  now(value) {
    return this.series(value).at(-1)?.value ?? null
  }

  /** Returns the states of the same coordinator in the window before a state, latest first. */
  #earlier(index) {
    const { time, status } = this.samples[index]
    const earlier = []
    for (let at = index - 1; at >= 0; at -= 1) {
      const sample = this.samples[at]
      if (!sample.status || sample.time < time - windowSeconds - 0.5) break
      if (status && isRestarted(sample.status, status)) break
      earlier.push(sample.status)
    }
    return earlier
  }
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
