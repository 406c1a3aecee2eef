import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fixture } from './fixtures.mjs'

const [article, arranging] = ['GalleyJS', 'Arranging']
  .map((name) => readFileSync(new URL(`../../Sources/Documentation.docc/${name}.md`, import.meta.url), 'utf8'))
// What a gateway replies to a row, with `end=true`.
const reply = '{"variant":"web-w390","row":0,"id":"p-6","cell":"PostCell","width":390,"height":526.3281,"error":null}\n{"rows":1}\n'
const moduleURL = new URL('../../Sources/galley-js/galley.js', import.meta.url).href

/**
 * Returns a block of code in which each value after an arrow is asserted. The arrow is in the same line or in the next.
 *
 * @param {string} block
 */
function withAssertions(block) {
  return block
    .replace(/\n\/\/ → /g, ' // → ')
    .replace(/^(.+?) \/\/ → (.+)$/gm, (_, expression, value) => `equal(${expression}, ${value})`)
    .replace("'./galley.js'", `'${moduleURL}'`)
}

test('the examples of the articles give what they state', async () => {
  const examples = article + arranging
  const blocks = Array.from(examples.matchAll(/```js\n([^]*?)```/g), ([, block]) => block)
  const originalFetch = globalThis.fetch
  let assertions = 0
  Object.assign(globalThis, {
    fetch: async (/** @type {string} */ address, /** @type {RequestInit | undefined} */ request) =>
      request?.method === 'POST' ? new Response(reply) : new Response(fixture(address.replace('/tables/w200', 'list').replace('/posts/w200', 'posts').replace('/feed/', 'feed/').replace('/spans/', 'spans/'))),
    equal: (/** @type {unknown} */ actual, /** @type {unknown} */ expected) => {
      assertions += 1
      assert.deepEqual(actual, expected)
    },
  })
  try {
    for (const block of blocks) {
      await import(`data:text/javascript,${encodeURIComponent(withAssertions(block))}`)
    }
  } finally {
    Object.assign(globalThis, { fetch: originalFetch })
  }
  assert.equal(assertions, examples.match(/ → /g)?.length)
  assert.ok(assertions > 10)
})

test('the sample for React Native does not take an error page for heights', async () => {
  const lists = readFileSync(new URL('../../Sources/Documentation.docc/ListComponents.md', import.meta.url), 'utf8')
  const [, sample] = /```js\n(const heights = [^]*?)```/.exec(lists) ?? []
  const originalFetch = globalThis.fetch
  // As many bytes as five heights have.
  Object.assign(globalThis, { fetch: async () => new Response('404 page not found!!', { status: 404 }) })
  try {
    const module = `import { Heights } from '${moduleURL}'\nconst server = 'https://example.com'\n${sample}`
    await assert.rejects(import(`data:text/javascript,${encodeURIComponent(module)}`), /w390\.f32 could not be read: the server replied 404/)
  } finally {
    Object.assign(globalThis, { fetch: originalFetch })
  }
})

test('the samples for all platforms draw lines in their direction', () => {
  const lines = readFileSync(new URL('../../Sources/Documentation.docc/DrawingLines.md', import.meta.url), 'utf8')
  const samples = Array.from(lines.matchAll(/```(?:js|jsx|swift|kotlin|dart)\n([^]*?)```/g), ([, sample]) => sample)
  assert.equal(samples.length, 5)
  for (const sample of samples) assert.match(sample, /line\.(rightToLeft|isRightToLeft)/)
})

test('the page of the article shows the heights of its last width, also if earlier ones come later', async () => {
  const [, script] = /<script type="module">\n( *import \{ Heights, userTextScale \}[^]*?)<\/script>/.exec(article) ?? []
  assert.ok(script)
  // The tables of the tests have neither a platform nor a text scale.
  const module = script.replace("'./galley.js'", `'${moduleURL}'`)
    .replace('userTextScale([1, 1.35])', '1').replace("{ platform: 'web', textScale }", '{}')
  const [list, content] = [{ clientWidth: 320, scrollTop: 0, addEventListener() {} }, { style: { height: '' } }]
  let [follow, sendFirst] = [async () => {}, () => {}]
  const isSent = new Promise((resolve) => { sendFirst = () => resolve(null) })
  const names = /** @type {const} */ (['fetch', 'document', 'ResizeObserver'])
  const originals = names.map((name) => globalThis[name])
  Object.assign(globalThis, {
    fetch: async (/** @type {string} */ address) => {
      if (address.includes('w320')) await isSent
      return new Response(fixture(address.slice(1)))
    },
    document: {
      getElementById: (/** @type {string} */ id) => id === 'list' ? list : content,
      documentElement: { style: { setProperty() {} } },
    },
    ResizeObserver: class {
      constructor(/** @type {typeof follow} */ callback) { follow = callback }
      observe() {}
    },
  })
  try {
    await import(`data:text/javascript,${encodeURIComponent(module)}`)
    const first = follow()
    list.clientWidth = 390
    await follow()
    sendFirst()
    await first
  } finally {
    names.forEach((name, index) => Object.assign(globalThis, { [name]: originals[index] }))
  }
  assert.equal(content.style.height, '1246.5px')
})
