import assert from 'node:assert/strict'
import test from 'node:test'

import { listenToKeys } from '../../Sources/Web/Viewer/Pages/keyboard.js'

/** Presses a key in a page, and returns the keys with which a command was run, and whether the browser still has its use for it. */
function press(key, { openDialog = null } = {}) {
  class TestElement {}
  const listeners = []
  Object.assign(globalThis, {
    HTMLInputElement: TestElement, HTMLTextAreaElement: TestElement, HTMLButtonElement: TestElement, HTMLAnchorElement: TestElement,
    document: {
      documentElement: { dataset: {} }, querySelector: () => openDialog,
      addEventListener: (type, listener) => { if (type === 'keydown') listeners.push(listener) },
    },
  })
  const run = []
  const command = (...keys) => ({ keys, shown: '', says: '', run: (pressed) => run.push(pressed) })
  listenToKeys([command('1', '2'), command('Escape')])
  const event = { key, defaultPrevented: false, target: null, preventDefault() { this.defaultPrevented = true } }
  for (const listener of listeners) listener(event)
  return { run, isLeft: !event.defaultPrevented }
}

test('a command knows which of its keys was pressed', () => {
  assert.deepEqual(press('2'), { run: ['2'], isLeft: false })
  assert.deepEqual(press('x'), { run: [], isLeft: true })
})

test('keys do not change what is behind a dialog, and Escape is left to the browser, which closes it', () => {
  assert.deepEqual(press('Escape', { openDialog: {} }), { run: [], isLeft: true })
  assert.deepEqual(press('2', { openDialog: {} }), { run: [], isLeft: true })
})
