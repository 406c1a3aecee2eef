// Random numbers that are the same in every run and every engine.

/**
 * Returns a generator of numbers from 0 to 1, without 1 (mulberry32).
 *
 * @param {number} seed
 */
export function randomNumbers(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let bits = Math.imul(seed ^ (seed >>> 15), seed | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

/** @typedef {() => number} Random */

/**
 * @param {Random} random
 * @param {number} bound
 */
export const integerBelow = (random, bound) => Math.floor(random() * bound)

/**
 * @template Element
 * @param {Random} random
 * @param {readonly Element[]} elements
 */
export const oneOf = (random, elements) => elements[integerBelow(random, elements.length)]

/**
 * Returns heights as tables have them: multiples of a pixel as float32, with runs of rows without height.
 *
 * @param {Random} random
 * @param {number} count
 * @param {number} scale The number of pixels in a point.
 */
export function randomHeights(random, count, scale) {
  const heights = []
  while (heights.length < count) {
    const isEmpty = random() < 0.1
    for (let run = 1 + integerBelow(random, 5); run > 0 && heights.length < count; run -= 1) {
      heights.push(isEmpty ? 0 : Math.fround((1 + integerBelow(random, 600 * scale)) / scale))
    }
  }
  return heights
}

/** The directions in which a list scrolls, the one towards the last row first. */
export const directions = {
  vertical: ['down', 'up'], inverted: ['up', 'down'], horizontal: ['right', 'left'], rightToLeft: ['left', 'right'],
}

/**
 * Returns a query, often at the boundary of a row and at times beyond both ends.
 *
 * @param {Random} random
 * @param {{ size: number, length: number, offsetOf: (row: number) => number, axis?: keyof typeof directions }} list
 */
export function randomQuery(random, list) {
  // A viewport that has all rows of a long list would make replies that take all the time.
  const viewport = oneOf(random, [0, 0.5, 1 + integerBelow(random, 1200), 844, Math.min(list.size, 20_000)])
  const free = (random() * 1.4 - 0.2) * (list.size + viewport) - 10
  const atBoundary = list.offsetOf(integerBelow(random, list.length + 1)) - oneOf(random, [0, viewport])
  return {
    offset: random() < 0.5 ? Math.round(free * 2) / 2 : atBoundary,
    viewport,
    direction: oneOf(random, directions[list.axis ?? 'vertical']),
    mode: oneOf(random, ['full', 'minimum', 'visibleOnly', 'lowMemory']),
    fetching: random() < 0.1,
    hidden: random() < 0.1,
    velocity: oneOf(random, [0, -1, 0.5, 2]),
  }
}
