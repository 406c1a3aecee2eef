import assert from 'node:assert/strict'
import test from 'node:test'

import { Heights } from '../../Sources/galley-js/galley.js'
import { neighbour, rowsByNeed } from '../../Sources/Web/Viewer/Pages/rowsbyneed.js'
import { randomNumbers } from '../galley-js/random.mjs'
import { roundedHeights } from '../galley-js/roundedheights.mjs'

test('the rows beside a row are those with a height', () => {
  const list = Heights.from([0, 10, 0, 0, 20, 30, 0])
  const beside = (side) => list.heightEstimates().map((_, row) => neighbour(list, row, side))
  assert.deepEqual(beside('next'), [1, 4, 4, 4, 5, 5, 6])
  assert.deepEqual(beside('previous'), [0, 1, 1, 1, 1, 4, 5])
})

test('all rows of the viewport are drawn, and others as long as there are not too many elements', () => {
  const node = { lines: [] }
  const listOf = (nodes) => ({
    rowHeights: { heights: Heights.from(new Array(200).fill(10)) }, variants: [{ name: 'w390' }],
    store: { cell: () => ({ nodes: new Array(nodes).fill(node) }) },
  })
  const place = { offset: 500, viewport: 400, direction: 'down' }
  const range = (first, end) => Array.from({ length: end - first }, (_, index) => first + index)
  assert.deepEqual(rowsByNeed(listOf(3000), place), range(50, 90))
  assert.deepEqual(rowsByNeed(listOf(3), place), [...range(50, 130), ...range(30, 50).reverse()])
})

test('of rows without height at the end of a list, the last one is drawn when all heights are there', () => {
  const drawn = (heights, isComplete) => rowsByNeed({
    rowHeights: { heights: Heights.from(heights), isComplete }, variants: [], store: { cell: () => null },
  }, { offset: 0, viewport: 100, direction: 'down' })
  assert.deepEqual(drawn([10, 0, 20, 0, 0, 0], true), [0, 2, 5])
  assert.deepEqual(drawn([10, 0, 20, 0, 0, 0], false), [0, 2])
  assert.deepEqual(drawn([10, 20], true), [0, 1])
  assert.deepEqual(drawn([0, 0, 0], true), [2])
})

test('the rows beside a row and those of a viewport are found where sums are rounded', () => {
  const random = randomNumbers(9)
  for (let seed = 0; seed < 60; seed += 1) {
    const lengths = roundedHeights(random, 300)
    const heights = Heights.from(lengths)
    const rows = lengths.flatMap((height, row) => (height > 0 ? [row] : []))
    rows.forEach((row, index) => {
      assert.equal(neighbour(heights, row, 'next'), rows[index + 1] ?? row, `after row ${row}, list ${seed}`)
      assert.equal(neighbour(heights, row, 'previous'), rows[index - 1] ?? row, `before row ${row}, list ${seed}`)
    })
    const model = { rowHeights: { heights, isComplete: false }, variants: [], store: { cell: () => null } }
    assert.deepEqual(rowsByNeed(model, { offset: 0, viewport: heights.size, direction: 'up' }), rows, `list ${seed}`)
  }
})

test('a row that ends above the next one, as sums are rounded, is not drawn again and again', () => {
  const heights = Heights.from(Float32Array.from({ length: 500000 }, (_, row) => (row % 2 === 0 ? 310.7 : 0.1)))
  const row = Array.from({ length: heights.length - 1 }, (_, row) => row)
    .find((row) => heights.rowAt(heights.offsetOf(row) + heights.heightOf(row)) === row)
  assert.notEqual(row, undefined)
  const model = { rowHeights: { heights, isComplete: true }, variants: [], store: { cell: () => null } }
  const place = { offset: heights.offsetOf(row), viewport: 800, direction: 'down' }
  assert.deepEqual(rowsByNeed(model, place).slice(0, 3), [row, row + 1, row + 2])
})
