import assert from 'node:assert/strict'
import test from 'node:test'

import { destination } from '../../Sources/Web/Viewer/Pages/jump.js'

const cases = [
  ['', 10, null],
  ['  ', 10, null],
  ['0', 10, { kind: 'row', row: 0 }],
  [' #9 ', 10, { kind: 'row', row: 9 }],
  ['1,234', 5000, { kind: 'row', row: 1234 }],
  ['10', 10, { kind: 'id', id: '10' }],
  ['505874924095815681', 100, { kind: 'id', id: '505874924095815681' }],
  ['id:7', 10, { kind: 'id', id: '7' }],
  [' id: lead ', 10, { kind: 'id', id: ' lead ' }],
  [' post-7 ', 10, { kind: 'id', id: 'post-7' }],
  ['@8000.5', 10, { kind: 'offset', offset: 8000.5 }],
  ['8000pt', 10, { kind: 'offset', offset: 8000 }],
  ['50%', 10, { kind: 'part', part: 0.5 }],
  ['400 %', 10, { kind: 'part', part: 1 }],
  ['post-7', 10, { kind: 'id', id: 'post-7' }],
]

for (const [text, rows, expected] of cases) {
  test(`"${text}" in a list of ${rows} rows`, () => assert.deepEqual(destination(text, rows), expected))
}
