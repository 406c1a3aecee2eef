// Comparisons with the model that run under Node.js and in a browser. They throw at the first difference.

import { NaiveHeights } from './naive.mjs'
import { integerBelow, oneOf, randomHeights, randomNumbers, randomQuery } from './random.mjs'

/**
 * @param {unknown} actual
 * @param {unknown} expected
 * @param {() => string} what
 */
export function requireEqual(actual, expected, what) {
  const [actualText, expectedText] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (actualText !== expectedText) throw new Error(`${what()}: ${actualText} instead of ${expectedText}`)
}

/**
 * Makes random edits to a list, and compares it with the model after each.
 *
 * @param {typeof import('../../Sources/galley-js/galley.js').Heights} Heights
 * @param {{ seed: number, rows: number, steps: number, scale: number }} options
 */
export function checkEdits(Heights, { seed, rows, steps, scale }) {
  const random = randomNumbers(seed)
  const model = new NaiveHeights(randomHeights(random, rows, scale))
  const list = Heights.from(model.heights)
  for (let step = 0; step < steps; step += 1) {
    const edit = edited(random, model, list, scale)
    const what = () => `seed ${seed}, step ${step}, ${edit}`
    requireEqual([list.length, list.size], [model.length, model.size], what)
    for (let lookup = 0; lookup < 8; lookup += 1) compareLookup(random, model, list, what)
    const query = randomQuery(random, model)
    requireEqual(list.prefetch(query), model.prefetch(query), () => `${what()}, ${JSON.stringify(query)}`)
  }
  requireEqual(list.heightEstimates(), model.heights, () => `seed ${seed}, all heights`)
  requireEqual(list.getItemLayout(null, 0).offset, 0, () => `seed ${seed}, the first row`)
}

/** Makes one edit and returns its description. */
function edited(random, model, list, scale) {
  const row = integerBelow(random, model.length + 1)
  const kind = oneOf(random, ['update', 'insert', 'remove', 'replace', 'bulk'])
  if (kind === 'update' && row < model.length) {
    const [height] = randomHeights(random, 1, scale)
    model.update(row, height)
    list.update(row, height)
    return `update(${row}, ${height})`
  }
  // Large removals and insertions go on in turn, so that the tree grows and shrinks by whole levels.
  const most = kind === 'bulk' ? 400 : 6
  const removed = kind === 'insert' ? 0 : Math.min(integerBelow(random, most), model.length - row)
  const heights = randomHeights(random, kind === 'remove' ? 0 : integerBelow(random, most), scale)
  model.splice(row, removed, heights)
  list.splice(row, removed, heights)
  // A list of one row is the least that lookups can be compared in.
  if (model.length === 0) {
    model.splice(0, 0, [7])
    list.splice(0, 0, [7])
  }
  return `splice(${row}, ${removed}, ${heights.length} rows)`
}

function compareLookup(random, model, list, what) {
  const row = integerBelow(random, model.length)
  const offset = oneOf(random, [model.offsetOf(row), (random() * 1.2 - 0.1) * model.size])
  requireEqual(list.heightOf(row), model.heightOf(row), () => `${what()}, heightOf(${row})`)
  requireEqual(list.offsetOf(row), model.offsetOf(row), () => `${what()}, offsetOf(${row})`)
  requireEqual(list.rowAt(offset), model.rowAt(offset), () => `${what()}, rowAt(${offset})`)
}

/**
 * Compares queries of a list that does not change with the model.
 *
 * @param {typeof import('../../Sources/galley-js/galley.js').Heights} Heights
 * @param {{ seed: number, heights: number[], queries: number }} options
 */
export function checkQueries(Heights, { seed, heights, queries }) {
  const random = randomNumbers(seed)
  const model = new NaiveHeights(heights)
  const list = Heights.from(heights)
  for (let query = 0; query < queries; query += 1) {
    const asked = randomQuery(random, model)
    const what = () => `seed ${seed}, ${heights.length} rows, ${JSON.stringify(asked)}`
    requireEqual(list.prefetch(asked), model.prefetch(asked), what)
    if (heights.length > 0) compareLookup(random, model, list, what)
  }
}

/**
 * Compares replies of `galley prefetch` with those of a list that has the same tables.
 *
 * @param {import('../../Sources/galley-js/galley.js').Heights} list
 * @param {string} queries A query on each line.
 * @param {string} replies The reply to each query.
 * @returns {number} The number of replies.
 */
export function checkReplies(list, queries, replies) {
  const lines = (/** @type {string} */ text) => text.split('\n').filter((line) => line !== '')
  const [asked, expected] = [lines(queries), lines(replies)]
  requireEqual(expected.length, asked.length, () => 'the number of replies of galley prefetch')
  asked.forEach((query, index) => {
    requireEqual(sorted(list.prefetch(JSON.parse(query))), sorted(JSON.parse(expected[index])), () => `query ${query}`)
  })
  return asked.length
}

/** Returns a value with the keys of its objects in order, as programs need not write them in the same one. */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]))
}
