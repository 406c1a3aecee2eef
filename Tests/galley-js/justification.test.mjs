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

test('lines that have only tabs are justified where they end with the others', () => {
  const lines = [100, 100, 70].map((width, index) => ({ x: 0, width, rightToLeft: false, start: 4 * index, end: 4 * index + 3 }))
  const starts = (/** @type {string} */ characters) => [...justifiedLines(/** @type {any} */ ({ text: characters, lines }))].map(({ start }) => start)
  assert.deepEqual(starts('a\tb c\td e'), [0, 4])
  // The last line is continued, too, and ends where its platform has not made its tab wider.
  lines.push({ ...lines[0], start: 12, end: 13 })
  assert.deepEqual(starts('a b c d e\tf g'), [0, 4])
})
