import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Heights } from '../../Sources/galley-js/galley.js'
import { fixture } from './fixtures.mjs'

const feed = () => Heights.fromArrow(fixture('feed/w390/heights.arrow'))

/**
 * Calls a function while addresses are files of the fixtures.
 *
 * @param {() => Promise<void>} body
 */
async function withFiles(body) {
  const original = globalThis.fetch
  Object.assign(globalThis, { fetch: async (/** @type {string} */ address) => new Response(fixture(address)) })
  try {
    await body()
  } finally {
    Object.assign(globalThis, { fetch: original })
  }
}

test('a height is certain within the margins of a row that holds in other widths', () => {
  const heights = feed()
  assert.equal(heights.width, 390)
  // The margins of row 0 are 6.1875 and 20.546875; row 1 has a ratio.
  assert.deepEqual(
    [383.8125, 383.82, 390, 410.54, 410.546875].map((width) => heights.heightOf(0, width).certain),
    [false, true, true, true, false])
  assert.deepEqual(heights.heightOf(1, 390), { height: 309.5, certain: true })
  assert.deepEqual(heights.heightOf(1, 390.5), { height: 309.5, certain: false })
})

test('rows that were changed or inserted are not certain, and others keep their margins', () => {
  const heights = feed()
  heights.splice(0, 0, [100])
  assert.deepEqual(heights.heightOf(0, 390), { height: 100, certain: false })
  assert.deepEqual(heights.heightOf(1, 391), { height: 156, certain: true })
  heights.update(1, 200)
  assert.deepEqual(heights.heightOf(1, 391), { height: 200, certain: false })
  assert.deepEqual(heights.heightOf(3, 391), { height: 220, certain: true })
})

test('nothing is certain without a table, and in tables of earlier versions', () => {
  for (const heights of [Heights.from([20]), Heights.fromArrow(fixture('list/heights.arrow'))]) {
    assert.equal(heights.width, null)
    assert.equal(heights.heightOf(0, 200).certain, false)
  }
})

test('the variant with the nearest width is read', () => withFiles(async () => {
  const widths = []
  for (const width of [1, 354.9, 355, 355.1, 1000]) widths.push((await Heights.forWidth('feed/', width)).width)
  assert.deepEqual(widths, [320, 320, 320, 390, 390])
}))

test('a variant that was not laid out is an error that names the others', () => withFiles(async () => {
  await assert.rejects(Heights.forWidth('feed', 390, { platform: 'web' }), {
    message: "feed has no variant with platform web, text scale 1, scale 2, only 'w320', 'w390'. "
      + 'Lay out the rows for it, or pass what a variant has',
  })
  await assert.rejects(Heights.forWidth('feed', NaN), RangeError)
  assert.throws(() => feed().heightOf(0, Infinity), RangeError)
}))
