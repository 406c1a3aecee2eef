// Makes lists of heights whose sums are rounded.

import { integerBelow, oneOf } from './random.mjs'

/** Returns heights of several magnitudes with runs of 1 to 200 rows of height 0. */
export function roundedHeights(random, count) {
  const heights = []
  while (heights.length < count) {
    const magnitude = oneOf(random, [0, 1e-4, 1, 300, 300, 5e6])
    const run = magnitude === 0 ? oneOf(random, [1, 2, 3, 10, 63, 64, 65, 200]) : 1 + integerBelow(random, 40)
    for (let row = 0; row < run; row += 1) heights.push(Math.fround(magnitude * (0.1 + random())))
  }
  return heights
}
