import assert from 'node:assert/strict'
import test from 'node:test'

import { placeOfAddress } from '../../Sources/Web/Viewer/Pages/address.js'

const cases = [
  ['', { row: 0, variants: [] }],
  ['#row=12&variants=w320,w390', { row: 12, variants: ['w320', 'w390'] }],
  ['#row=-5', { row: 0, variants: [] }],
  ['#row=1.5', { row: 0, variants: [] }],
  ['#row=first', { row: 0, variants: [] }],
]

for (const [hash, place] of cases) {
  test(`the place of the address "${hash}" is one that a list can have`, () => {
    Object.assign(globalThis, { location: { hash } })
    assert.deepEqual(placeOfAddress(), place)
  })
}
