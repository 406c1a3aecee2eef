import assert from 'node:assert/strict'
import test from 'node:test'

import { Heights } from '../../Sources/galley-js/galley.js'
import { neighbour, rowsByNeed } from '../../Sources/Web/Viewer/Pages/rowsbyneed.js'

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
