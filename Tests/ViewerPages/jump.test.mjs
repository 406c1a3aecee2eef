import assert from 'node:assert/strict'
import test from 'node:test'

import { destination, JumpField } from '../../Sources/Web/Viewer/Pages/jump.js'
import { OldRevision } from '../../Sources/Web/Viewer/Pages/server.js'

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

/** Returns a field, the places that it leads to, and its searches, each with functions for the reply of the server. */
function opened() {
  const [form, places, searches] = [new EventTarget(), [], []]
  const field = Object.assign(new EventTarget(), {
    value: '', message: '', reports: 0, setCustomValidity(text) { this.message = text }, reportValidity() { this.reports += 1 },
  })
  Object.assign(globalThis, { document: { activeElement: field } })
  const find = (id, signal) => new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
    searches.push({ id, reply: resolve, fail: reject })
  })
  const session = { model: { list: { rows: 10 }, server: { find } } }
  const errors = []
  const jump = new JumpField(form, field, session, {
    goTo: (place) => places.push(place.row ?? place.offset), onError: (error) => errors.push(error),
  })
  const type = (text) => {
    field.value = text
    field.dispatchEvent(new Event('input'))
  }
  const enter = (text) => {
    type(text)
    form.dispatchEvent(new Event('submit', { cancelable: true }))
  }
  const settled = () => new Promise((resolve) => setTimeout(resolve))
  return { field, places, searches, errors, jump, type, enter, settled }
}

test('a late reply changes nothing after the user has typed on or has gone to another place', async () => {
  const { field, places, searches, errors, type, enter, settled } = opened()
  enter('p-9')
  type('p-5')
  searches[0].reply(9)
  await settled()
  assert.deepEqual([places, field.message], [[], ''])
  enter('p-8')
  enter('7')
  searches[1].reply(null)
  await settled()
  assert.deepEqual([places, field.message, errors], [[7], '', []])
})

test('an id is searched for in the layout that is shown, and named if no row has it', async () => {
  const { field, places, searches, errors, jump, enter, settled } = opened()
  enter('p-9')
  jump.modelChanged()
  searches[0].reply(4)
  searches[1].reply(5)
  await settled()
  assert.deepEqual(places, [5])
  enter('p-8')
  searches[2].fail(new OldRevision())
  await settled()
  jump.modelChanged()
  searches[3].reply(null)
  await settled()
  assert.deepEqual([places, field.message, errors], [[5], 'No row has the id p-8', []])
  jump.modelChanged()
  assert.deepEqual([searches.length, field.message], [4, ''])
})

test('a search that finds nothing takes no focus from what one uses then, and none is left after it is given up', async () => {
  const { field, places, searches, jump, enter, settled } = opened()
  enter('p-8')
  searches[0].reply(null)
  await settled()
  Object.assign(globalThis.document, { activeElement: null })
  enter('p-9')
  searches[1].reply(null)
  await settled()
  assert.deepEqual([field.message, field.reports], ['No row has the id p-9', 1])
  enter('p-7')
  jump.cancel()
  searches[2].reply(7)
  jump.modelChanged()
  await settled()
  assert.deepEqual([places, field.message, searches.length], [[], '', 3])
})
