import assert from 'node:assert/strict'
import test from 'node:test'

import { Heights } from '../../Sources/galley-js/galley.js'
import { neighbour } from '../../Sources/Web/Viewer/Pages/rowsbyneed.js'

test('the rows beside a row are those with a height', () => {
  const list = Heights.from([0, 10, 0, 0, 20, 30, 0])
  const beside = (side) => list.heightEstimates().map((_, row) => neighbour(list, row, side))
  assert.deepEqual(beside('next'), [1, 4, 4, 4, 5, 5, 6])
  assert.deepEqual(beside('previous'), [0, 1, 1, 1, 1, 4, 5])
})
