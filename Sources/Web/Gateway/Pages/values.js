// The values of a state of the pool, and what follows from two states: rates and times.

/** @typedef {{ count: number, buckets: { le: number, count: number }[] }} Histogram */

/** @typedef {'queueTime' | 'layoutTime' | 'batchTime'} TimeName */

/**
 * @typedef {Record<TimeName, Histogram>
 *   & Record<'uptime' | 'rowsDone' | 'jobsDone' | 'retries' | 'lostWorkers' | 'rowBytesReceived' | 'resultBytesSent', number>
 *   & Record<'batchesDone' | 'batchesFailed' | 'batchesCancelled', number>} Metrics
 */

/**
 * @typedef {object} Worker
 * @property {string} name
 * @property {number} pid
 * @property {string} host
 * @property {string} key
 * @property {number} jobs
 * @property {number} rows
 * @property {number} cacheHitRate
 * @property {number} seen The time since its last message, in seconds.
 * @property {number} jobAge
 * @property {boolean} late
 */

/**
 * @typedef {object} Batch
 * @property {string} name
 * @property {string} input
 * @property {string} owner
 * @property {number} priority
 * @property {number} rowsReceived
 * @property {number} rowsDone
 * @property {number} queued
 * @property {number} running
 * @property {number} retries
 * @property {string} waiting
 * @property {number} age
 * @property {string} state
 */

/**
 * The state of the pool, as `PoolStatus` of the program has it.
 *
 * @typedef {object} Status
 * @property {string} version
 * @property {string} host
 * @property {number} pid
 * @property {number} memory
 * @property {number} workerCount
 * @property {number} batchCount
 * @property {number} [pausedBatches]
 * @property {number} [spoolBytes]
 * @property {number} [spoolLimit]
 * @property {boolean} [accepting]
 * @property {Worker[]} workers
 * @property {Batch[]} batches
 * @property {object[]} clients
 * @property {Metrics} metrics
 */

/**
 * A value of a state. It is a function of the state, the oldest one in the window before it, and the one just before it.
 *
 * @typedef {(status: Status, earlier: Status, previous: Status) => number | null} Value
 */

/** @typedef {(status: Status) => number} Counter */

/**
 * Returns how much a counter grew per second.
 *
 * @param {Counter} counter
 * @returns {Value}
 */
export const rate = (counter) => (status, earlier) => {
  const seconds = status.metrics.uptime - earlier.metrics.uptime
  return seconds > 0 ? (counter(status) - counter(earlier)) / seconds : null
}

/**
 * Returns how much a counter grew from one state to the next.
 *
 * @param {Counter} counter
 * @returns {Value}
 */
export const growth = (counter) => (status, earlier, previous) => counter(status) - counter(previous)

/**
 * Returns the seconds that a share of the durations of a histogram did not exceed, or null if there were none.
 *
 * @param {TimeName} histogram
 * @param {number} share
 * @returns {Value}
 */
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
