import assert from 'node:assert/strict'
import test from 'node:test'

import { keepPlace, placeOfAddress } from '../../Sources/Web/Viewer/Pages/address.js'

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

test('names with characters that have a meaning in an address are kept', () => {
  const names = ['phone+tv', 'a&b', 'größe 100%', 'a,b']
  const location = { hash: '' }
  Object.assign(globalThis, { location, history: { replaceState: (_state, _title, hash) => { location.hash = hash } } })
  keepPlace(3, names)
  assert.deepEqual(placeOfAddress(), { row: 3, variants: names })
})
