import assert from 'node:assert/strict'
import test from 'node:test'

import { watch } from '../../Sources/Web/Viewer/Pages/watching.js'

test('the list is asked for when the server is reached again, which may be another process', () => {
  Object.assign(globalThis, { EventSource: EventTarget })
  /** @type {(boolean | string)[]} */
  const calls = []
  const source = watch({ onChange: () => calls.push('list'), onConnection: (isConnected) => calls.push(isConnected) })
  for (const type of ['open', 'list', 'error', 'open', 'good']) source.dispatchEvent(new Event(type))
  assert.deepEqual(calls, [true, 'list', 'list', false, true, 'list', 'list'])
})
