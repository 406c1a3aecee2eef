import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Heights, userTextScale, variantFor } from '../../Sources/galley-js/galley.js'
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

test('a table that has lost its margins is an error that names the column', () => {
  const text = fixture('feed/w390/heights.arrow').toString('latin1')
  for (const column of ['margin_narrower', 'margin_wider']) {
    const file = Buffer.from(text.replaceAll(column, column.toUpperCase()), 'latin1')
    assert.throws(() => Heights.fromArrow(file), { name: 'Error', message: new RegExp(`heights\\.arrow has no column ${column}, but`) })
  }
})

test('the variant with the nearest width is read', () => withFiles(async () => {
  const widths = []
  for (const width of [-1e308, 1, 354.9, 355, 355.1, 1000, 1e308]) widths.push((await Heights.forWidth('feed/', width)).width)
  assert.deepEqual(widths, [320, 320, 320, 320, 390, 390, 390])
}))

test('a list without resources is read where there is no TextDecoder', () => withFiles(async () => {
  const { TextDecoder } = globalThis
  Object.assign(globalThis, { TextDecoder: undefined })
  try {
    assert.equal((await Heights.forWidth('feed', 390)).width, 390)
  } finally {
    Object.assign(globalThis, { TextDecoder })
  }
}))

test('scales are those of a device that keeps them as 32-bit floats', async () => {
  const original = globalThis.fetch
  const variants = [1, 1.3, 1.35].map((textScale) => ({ name: `w360-t${textScale}@2.6x`, width: 360, textScale, scale: 2.6 }))
  Object.assign(globalThis, { fetch: async () => new Response(JSON.stringify({ variants })) })
  for (const [textScale, scale] of [[Math.fround(1.3), 2.6], [1.3, Math.fround(2.6)]]) {
    assert.equal(await variantFor('/feed', 360, { textScale, scale }), '/feed/w360-t1.3@2.6x')
  }
  await assert.rejects(variantFor('/feed', 360, { textScale: 1.31, scale: 2.6 }), /has no variant with .* text scale 1\.31/)
  Object.assign(globalThis, { fetch: original })
})

test('a variant that was not laid out is an error that names the others', () => withFiles(async () => {
  await assert.rejects(Heights.forWidth('feed', 390, { platform: 'web' }), {
    message: "feed has no variant with platform web, text scale 1, scale 2, only 'w320', 'w390'. "
      + 'Lay out the rows for it, or pass what a variant has',
  })
  for (const [wrong, message] of /** @type {any[]} */ ([
    [{ textscale: 1.35 }, /no property 'textscale' in the options of a variant, only platform, textScale.*, axis/],
    [{ textScale: '1' }, /Pass a number for the textScale of a variant, not '1'/],
    [{ scale: '2' }, /Pass a number for the scale of a variant, not '2'/],
  ])) await assert.rejects(Heights.forWidth('feed', 390, wrong), { name: 'TypeError', message })
  await assert.rejects(Heights.forWidth('feed', NaN), RangeError)
  assert.throws(() => feed().heightOf(0, Infinity), RangeError)
}))

test('a reply that is no manifest is an error that names the address', async () => {
  const original = globalThis.fetch
  for (const body of ['<!doctype html>', 'null', '{"name": "feed"}', '{"variants": {}}', '{"variants": [null]}']) {
    Object.assign(globalThis, { fetch: async () => new Response(body) })
    await assert.rejects(Heights.forWidth('/feed', 390), {
      message: '/feed/manifest.json is no manifest of a run. Pass the address of the directory that galley layout wrote',
    })
  }
  Object.assign(globalThis, { fetch: original })
})

test('the text scale is the one of those that were laid out which is nearest to that of the reader', () => {
  const probe = { style: {}, remove() {} }
  Object.assign(globalThis, {
    document: { createElement: () => probe, documentElement: { append() {} } },
    // The reader has chosen 20 pixels.
    getComputedStyle: () => ({ fontSize: '20px' }),
  })
  assert.deepEqual([[], [1, 1.35], [1, 2], [1, 1.5], [1.5, 1]].map((scales) => userTextScale(scales)), [1.25, 1.35, 1, 1, 1])
  assert.equal(userTextScale(), 1.25)
  assert.throws(() => userTextScale([1, NaN]), { name: 'RangeError', message: /finite number for a text scale/ })
})
