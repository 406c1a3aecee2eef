import assert from 'node:assert/strict'
import { test } from 'node:test'

import { justifiedLines } from '../../Sources/galley-js/src/justification.js'

/** Returns a text of two paragraphs with two lines each. Both lines of a paragraph are at one place. */
function text(/** @type {{ x: number, width: number, rightToLeft: boolean }[]} */ firstLines) {
  const lines = firstLines.flatMap((place, index) => [
    { ...place, start: 12 * index, end: 12 * index + 5, ellipsis: false },
    { ...place, start: 12 * index + 6, end: 12 * index + 11, ellipsis: false },
  ])
  return /** @type {any} */ ({ text: 'a bcd e fgh\na bcd e fgh\n', lines })
}

test('the lines of each direction have one end of their own', () => {
  const mixed = text([{ x: 0, width: 100, rightToLeft: false }, { x: 4, width: 100, rightToLeft: true }])
  assert.deepEqual([...justifiedLines(mixed)].map((line) => line.start).sort(), [0, 12])
})

test('lines of one direction with several ends are not justified', () => {
  const ragged = text([{ x: 0, width: 100, rightToLeft: false }, { x: 0, width: 70, rightToLeft: false }])
  assert.equal(justifiedLines(ragged).size, 0)
})
