// Tests of how the page of the dashboard is loaded: node --test Tests/Dashboard/
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createContext, runInContext } from 'node:vm'

const read = (name) => readFileSync(new URL(`../../Sources/Web/Gateway/Pages/${name}`, import.meta.url), 'utf8')

/** Returns the number of times that the page is loaded again after an error at a target. */
function reloads(target) {
  class HTMLScriptElement {}
  class HTMLLinkElement {}
  const state = { textContent: 'loading', dataset: {} }
  let [count, handler] = [0, null]
  const page = createContext({
    HTMLScriptElement, HTMLLinkElement, document: { getElementById: () => state }, location: { reload: () => { count += 1 } },
    setTimeout: (body) => body(),
    addEventListener(type, body, captures) {
      // The error of an element does not rise to the window.
      if (type === 'error' && captures) handler = body
    },
  })
  runInContext(read('start.js'), page)
  handler({ target: target({ HTMLScriptElement, HTMLLinkElement, page }) })
  assert.equal(state.textContent === 'loading', count === 0, 'the page shows what happens')
  return count
}

test('a page whose script or style could not be loaded is loaded again', () => {
  assert.equal(reloads(({ HTMLScriptElement }) => new HTMLScriptElement()), 1)
  assert.equal(reloads(({ HTMLLinkElement }) => new HTMLLinkElement()), 1)
})

test('an error of a script that runs does not load the page again', () => {
  assert.equal(reloads(({ page }) => page), 0)
})

test('the page names nothing from the root, so that a proxy can serve it under a path', () => {
  const addresses = [
    ...read('dashboard.html').matchAll(/(?:src|href)="([^"]*)"/g),
    ...read('dashboard.js').matchAll(/followEvents\('([^']*)'/g),
  ]
  assert.ok(addresses.length > 4)
  for (const [, address] of addresses) assert.ok(!address.startsWith('/'), address)
})
