// Times of single calls on a list of a million rows.

import { integerBelow, randomHeights, randomNumbers } from '../random.mjs'

const ROWS = 1_000_000
const ROUNDS = 20
const CALLS = 20_000

/**
 * Returns the microseconds of a call of each operation at random places: the least of the rounds, as other programs
 * disturb the others.
 *
 * @param {typeof import('../../../Sources/galley-js/galley.js').Heights} Heights
 * @returns {Record<string, number>}
 */
export function measure(Heights) {
  const random = randomNumbers(4)
  const list = Heights.from(randomHeights(random, ROWS, 2))
  const row = () => integerBelow(random, ROWS)
  let sum = 0
  /** @type {Record<string, () => void>} */
  const operations = {
    rowAt: () => { sum += list.rowAt(random() * list.size) },
    offsetOf: () => { sum += list.offsetOf(row()) },
    heightOf: () => { sum += list.heightOf(row()) },
    update: () => list.update(row(), integerBelow(random, 1000) / 2),
    'splice, one row for another': () => list.splice(row(), 1, [20]),
    'splice, a row in and another out': () => {
      list.splice(row(), 0, [20])
      list.splice(row(), 1)
    },
    prefetch: () => { sum += list.prefetch({ offset: random() * list.size, viewport: 844 }).remaining },
  }
  const times = Object.entries(operations).map(([name, operation]) => {
    const rounds = Array.from({ length: ROUNDS }, () => {
      const start = performance.now()
      for (let call = 0; call < CALLS; call += 1) operation()
      return ((performance.now() - start) * 1000) / CALLS
    })
    return [name, Math.min(...rounds)]
  })
  // The sum is used, so that the calls cannot be left out.
  if (!Number.isFinite(sum)) throw new Error(`The calls returned numbers that add up to ${sum}`)
  return Object.fromEntries(times)
}
