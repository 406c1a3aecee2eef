import assert from 'node:assert/strict'
import test from 'node:test'

import { watch } from '../../Sources/Web/Viewer/Pages/watching.js'

/** Watches in a page, and returns its connections, the page, and what was called. */
function watched(isHidden = false) {
  /** @type {(boolean | string)[]} */
  const calls = []
  const sources = []
  class EventSource extends EventTarget {
    static CLOSED = 2
    readyState = 0

    constructor() {
      super()
      sources.push(this)
    }

    close() {
      this.readyState = EventSource.CLOSED
    }

    send(...types) {
      for (const type of types) this.dispatchEvent(new Event(type))
    }
  }
  const document = Object.assign(new EventTarget(), { hidden: isHidden })
  const timers = new Map()
  Object.assign(globalThis, {
    EventSource, document, clearTimeout: (timer) => timers.delete(timer),
    setTimeout(body) {
      timers.set(timers.size + 1, body)
      return timers.size
    },
  })
  const tick = () => timers.forEach((body) => body())
  watch({ onChange: () => calls.push('list'), onConnection: (isConnected) => calls.push(isConnected) })
  const show = (isVisible) => {
    document.hidden = !isVisible
    document.dispatchEvent(new Event('visibilitychange'))
  }
  return { calls, sources, show, tick }
}

test('the list is asked for when the server is reached again, which may be another process', () => {
  const { calls, sources: [source] } = watched()
  source.send('open', 'list', 'error', 'open', 'good')
  assert.deepEqual(calls, [true, 'list', 'list', false, true, 'list', 'list'])
})

test('a connection that the browser has given up is opened again', () => {
  const { calls, sources, tick } = watched()
  sources[0].send('error')
  tick()
  assert.equal(sources.length, 1)
  sources[0].readyState = 2
  sources[0].send('error')
  tick()
  sources[1].send('open')
  assert.deepEqual([sources.length, calls], [2, [false, false, true, 'list']])
})

test('a hidden page keeps no connection, and asks for the list when it is shown', () => {
  const { calls, sources, show, tick } = watched(true)
  assert.equal(sources.length, 0)
  show(true)
  show(true)
  sources[0].readyState = 2
  sources[0].send('error')
  show(false)
  tick()
  assert.deepEqual(sources.map(({ readyState }) => readyState), [2])
  show(true)
  sources[1].send('open')
  assert.deepEqual([sources.length, calls], [2, [false, true, 'list']])
})
