import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Frames, Heights, Lines, Resources, cellHTML, renderViewport, skeletonSVG } from '../../Sources/galley-js/galley.js'
import { fixture } from './fixtures.mjs'

// Tests/DrawnCells compares the HTML with what `draw` makes in a browser.

/** @param {string} name */
const cells = (name, options = {}) => ({
  heights: Heights.fromArrow(fixture(`${name}/heights.arrow`), options),
  frames: Frames.fromArrow(fixture(`${name}/frames.arrow`)),
  lines: Lines.fromArrow(fixture(`${name}/lines.arrow`), fixture(`${name}/texts.arrow`)),
})

/** A table of texts that has a text in place of each one. */
const withTexts = (/** @type {ReturnType<typeof cells>} */ data, /** @type {string} */ characters) => ({
  ...data,
  lines: {
    of: (/** @type {number} */ row) => data.lines.of(row).map((text) => ({
      ...text,
      text: characters,
      runs: [{ start: 0, end: characters.length, font: characters }],
      lines: text.lines.map((line) => ({ ...line, characters, start: 0, end: characters.length })),
      spans: [{ line: 0, start: 0, end: characters.length, x: 0, y: 0, width: 1, height: 1, url: '/', kind: characters }],
    })),
  },
})

test('the characters of a row cannot end a text, a value or an element', () => {
  const hostile = `</div><script>alert(1)</script>" ' onerror=alert(1) x="&lt;\r\0`
  const inText = '&lt;/div&gt;&lt;script&gt;alert(1)&lt;/script&gt;" \' onerror=alert(1) x="&amp;lt;&#13;'
  const inValue = `${inText.replaceAll('"', '&quot;')}\uFFFD`
  const inClass = inValue.replaceAll(' ', '-').replace('&#13;', '-')
  const data = { ...withTexts(cells('posts'), hostile), images: { avatar: { src: hostile, alt: hostile } }, links: { name: hostile } }
  const html = cellHTML(0, /** @type {any} */ (data))
  for (const part of [`>${inText}</a>`, `class="${inClass}"`, `alt="${inValue}"`, `data-kind="${inValue}"`, `src="${inValue}"`]) {
    assert.ok(html.includes(part), part)
  }
  assert.doesNotMatch(html.replaceAll(inText, '').replaceAll(inValue, '').replaceAll(inClass, ''), /script|onerror/)
  assert.doesNotMatch(skeletonSVG(0, /** @type {any} */ (data)), /alert/)
})

test('a text with other lines than its frame has is an error', () => {
  const data = withTexts(cells('posts'), 'other')
  const of = (/** @type {number} */ row) => data.lines.of(row).map((text) => ({ ...text, lines: [...text.lines, text.lines[0]] }))
  assert.throws(() => cellHTML(0, { ...data, lines: /** @type {any} */ ({ of }) }), {
    message: 'Row 0 has 1 line of the text name in frames.arrow, where lines.arrow has 2. '
      + 'Read both from one directory that galley layout --lines wrote',
  })
})

test('what is no address is no link', () => {
  for (const address of [null, 7, new URL('https://people.example')]) {
    assert.doesNotMatch(cellHTML(0, { ...cells('spans'), links: /** @type {any} */ ({ text: address }) }), /href="(null|7|https:..people)/)
  }
})

test('the HTML of a cell has no address that runs a script', () => {
  assert.ok(cells('spans').lines.of(0)[0].spans.some(({ url }) => url.startsWith('javascript:')))
  assert.doesNotMatch(cellHTML(0, { ...cells('spans'), links: { text: 'javascript:alert(1)' } }), /javascript/)
})

test('the HTML of a cell has no link in another one', () => {
  const box = { type: 'node', x: 0, y: 0, width: 1, height: 1, lines: 0, truncated: false }
  const frames = { of: () => [{ ...box, node: 'outer', parent: -1 }, { ...box, node: 'inner', parent: 0 }, { ...box, node: 'inner', parent: -1 }] }
  const data = { heights: Heights.from([1]), frames, lines: { of: () => [] }, links: { outer: '/1', inner: '/2' } }
  const tags = Array.from(cellHTML(0, /** @type {any} */ (data)).matchAll(/<(\/?\w+)/g), ([, tag]) => tag)
  assert.deepEqual(tags, ['a', 'div', '/div', '/a', 'a', '/a'])
})

test('a viewport shows its rows at their offsets, in a list of its height', () => {
  const data = cells('posts')
  const { offset, size, rows } = renderViewport({ offset: 300, viewport: 400 }, data, cellHTML)
  assert.deepEqual([offset, size], [300, data.heights.size])
  assert.deepEqual(rows.map(({ row }) => row), [1, 2])
  for (const { row, offset, height, html } of rows) {
    assert.deepEqual([offset, height], [data.heights.offsetOf(row), data.heights.heightOf(row)])
    assert.equal(html, cellHTML(row, { ...data, range: 'visible' }))
  }
})

test('the images of a viewport load at once', () => {
  const data = cells('posts')
  data.heights.resources = Resources.fromArrow(fixture('posts/resources.arrow'))
  const [{ html }] = renderViewport({ offset: 0, viewport: 1 }, data, cellHTML).rows
  assert.match(html, /loading="eager" src="https:\/\/img\.example/)
  assert.match(cellHTML(0, data), /loading="lazy"/)
})

test('an offset beyond the end is the last one, and a list may be smaller than the viewport or empty', () => {
  const data = cells('posts')
  const { offset, rows } = renderViewport({ offset: 1e9, viewport: 400 }, data, skeletonSVG)
  assert.deepEqual([offset, rows.at(-1)?.row], [data.heights.size - 400, 4])
  assert.equal(renderViewport({ offset: 50, viewport: 1e6 }, data, skeletonSVG).offset, 0)
  for (const [wrong, content, message] of /** @type {any[]} */ ([
    [{ heights: Promise.resolve() }, skeletonSVG, /for heights, awaited if it was a promise/], [{}, skeletonSVG, /for heights/],
    [data, undefined, /Pass cellHTML or another function for content, not undefined/],
  ])) assert.throws(() => renderViewport({ offset: 0, viewport: 9 }, wrong, content), { name: 'TypeError', message })
  const empty = { heights: Heights.from([]) }
  assert.deepEqual(renderViewport({ offset: 0, viewport: 400 }, empty, () => ''), { offset: 0, size: 0, rows: [] })
  assert.throws(() => renderViewport({ offset: NaN, viewport: 1 }, empty, () => ''), /finite number for the offset of the viewport/)
})

test('a skeleton has the size of its cell, a bar for each line, and a rectangle for each other frame without others inside', () => {
  const data = cells('posts')
  for (const tables of [data, { heights: data.heights, frames: data.frames }]) {
    for (let row = 0; row < 5; row += 1) {
      const svg = skeletonSVG(row, tables)
      assert.ok(svg.includes(`width="200" height="${data.heights.heightOf(row)}"`))
      const frames = data.frames.of(row)
      const expected = frames.map(({ type, lines }, index) =>
        type === 'text' ? lines : Number(frames.every(({ parent }) => parent !== index)))
      assert.equal(svg.match(/<rect /g)?.length, expected.reduce((sum, count) => sum + count, 0))
    }
  }
})

test('the skeleton of a row of a horizontal list is as wide as the row', () => {
  const { heights, frames } = cells('posts', { axis: 'horizontal' })
  assert.ok(skeletonSVG(1, { heights, frames }).includes(`width="${heights.heightOf(1)}" height="${heights.crossSize}"`))
})

test('rows that are not in the tables, and tables that are promises, are errors', () => {
  const data = cells('posts')
  data.heights.splice(0, 0, [40])
  for (const render of [cellHTML, skeletonSVG]) {
    assert.throws(() => render(0, data), { name: 'RangeError', message: /Row 0 was inserted or updated/ })
    assert.throws(() => render(1, { ...data, frames: /** @type {any} */ (Promise.resolve()) }), { name: 'TypeError', message: /for frames, awaited/ })
  }
})

test('rows that are hidden are not shown, and are drawn again with their height', () => {
  const data = cells('posts')
  const height = data.heights.heightOf(1)
  data.heights.update(1, 0)
  const query = { offset: 0, viewport: 1000 }
  const hidden = renderViewport(query, data, cellHTML).rows.map(({ row }) => row)
  assert.equal(hidden[0], 0)
  assert.equal(hidden[1], 2)
  assert.throws(() => cellHTML(1, data), /Row 1 was inserted or updated/)
  data.heights.update(1, height)
  assert.equal(renderViewport(query, data, cellHTML).rows[1].row, 1)
  // Another height is another content, also if it is that of the tables afterwards.
  data.heights.update(1, height + 1)
  for (const next of [height, 0, height]) {
    data.heights.update(1, next)
    assert.throws(() => cellHTML(1, data), /Row 1 was inserted or updated/)
  }
})

test('hidden rows take no time', () => {
  const heights = Heights.from(Array.from({ length: 300_000 }, (_, row) => (row % 100_000 === 7 ? 100 : 0)))
  const calls = /** @type {number[]} */ ([])
  const { rows } = renderViewport({ offset: 50, viewport: 200 }, { heights }, (row) => String(calls.push(row)))
  assert.deepEqual(rows.map(({ row, offset }) => [row, offset]), [[7, 0], [100_007, 100], [200_007, 200]])
  assert.equal(calls.length, 3)
})
