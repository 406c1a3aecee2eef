import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Frames, Heights, Lines, Resources, draw, verify } from '../../Sources/galley-js/galley.js'
import { nodesOf } from '../../Sources/galley-js/src/verifynodes.js'
import { fixture } from './fixtures.mjs'

// Tests/DrawnCells draws in a browser. These elements only keep what they are given.
class TestElement {
  children = []
  attributes = {}
  style = {}

  constructor(name) {
    this.name = name
  }

  setAttribute(attribute, value) {
    this.attributes[attribute] = value
  }

  append(...children) {
    this.children.push(...children)
  }

  replaceChildren(...children) {
    this.children = children
  }
}

const document = { createElement: (/** @type {string} */ name) => new TestElement(name) }
Object.assign(globalThis, { document })

const cells = () => ({
  heights: Heights.fromArrow(fixture('posts/heights.arrow')),
  frames: Frames.fromArrow(fixture('posts/frames.arrow')),
  lines: Lines.fromArrow(fixture('posts/lines.arrow'), fixture('posts/texts.arrow')),
})

/** Returns the elements of a drawn row by the names of their nodes. */
function drawn(row, data) {
  const cell = new TestElement('div')
  draw(row, /** @type {any} */ (cell), data)
  return { cell, nodes: Object.fromEntries(cell.children.map((child) => [child.attributes['data-node'], child])) }
}

test('a cell has an element for each frame, in their order, and the height of the row', () => {
  const data = cells()
  const { cell } = drawn(2, data)
  assert.deepEqual(cell.children.map(({ attributes }) => attributes['data-node']), data.frames.of(2).map(({ node }) => node))
  assert.equal(cell.style.height, `${data.heights.heightOf(2)}px`)
  assert.match(cell.children[0].style.cssText, /left:16px;top:12px;width:48px;height:48px/)
})

test('a text has an element for each line, in the classes of its fonts', () => {
  const { nodes } = drawn(2, cells())
  const lines = nodes.quotedText.children
  assert.deepEqual(lines.map(({ children }) => children.slice(1)), [['A list that'], ['knows how'], ['tall its cells'], ['are never h…']])
  assert.deepEqual(new Set(lines.map(({ attributes }) => attributes.class)), new Set(['small']))
})

test('the class of a font has hyphens for the white space of its name', () => {
  const data = cells()
  const classes = (/** @type {string} */ font) => {
    const lines = { of: (/** @type {number} */ row) => data.lines.of(row).map((text) => ({ ...text, runs: [{ ...text.runs[0], font }] })) }
    return drawn(2, { ...data, lines: /** @type {any} */ (lines) }).nodes.quotedText.children.map(({ attributes }) => attributes.class)
  }
  assert.deepEqual(new Set(classes('body  large\r\n\u0085\u3000\uFEFF')), new Set(['body--large---\uFEFF']))
})

test('an empty line has its place and nothing in it', () => {
  const data = cells()
  const lines = {
    of: (/** @type {number} */ row) => data.lines.of(row).map((text) =>
      ({ ...text, lines: text.lines.map((line) => ({ ...line, characters: '', end: line.start })) })),
  }
  for (const { children, attributes } of drawn(2, { ...data, lines }).nodes.quotedText.children) {
    assert.deepEqual([children.length, children[0].name, attributes.class], [1, 'span', 'small'])
  }
})

test('images are those of the resources, and load at once in the ranges visible and display', () => {
  const data = cells()
  assert.deepEqual(drawn(1, data).nodes.photo.children, [])
  data.heights.resources = Resources.fromArrow(fixture('posts/resources.arrow'))
  for (const [range, loading] of [['visible', 'eager'], ['display', 'eager'], ['preload', 'lazy'], [undefined, 'lazy']]) {
    const [image] = drawn(1, { ...data, range }).nodes.photo.children
    assert.deepEqual([image.name, image.attributes.src, image.attributes.alt, image.attributes.loading], ['img', 'https://img.example/p/2.jpg', '', loading])
  }
  const [image] = drawn(1, { ...data, images: { photo: { src: '/p/2?w=596', alt: 'A street' } } }).nodes.photo.children
  assert.deepEqual([image.attributes.src, image.attributes.alt], ['/p/2?w=596', 'A street'])
})

test('links lead to pages and addresses, and never run a script', () => {
  const named = (/** @type {string} */ name) => drawn(0, { ...cells(), links: { name } }).nodes.name
  for (const address of ['https://people.example/1', '/people/1', 'mailto:marta@people.example', 'tel:+361']) {
    assert.deepEqual([named(address).name, named(address).attributes.href], ['a', address])
  }
  for (const address of ['javascript:alert(1)', 'JavaScript:alert(1)', ' javascript:alert(1)', 'data:text/html,1', 'http://[']) {
    assert.equal(named(address).name, 'div', address)
  }
})

test('a node with the name of what every object has is no link', () => {
  for (const node of ['constructor', 'toString', '__proto__']) {
    const frames = { of: () => [{ node, type: 'node', parent: -1, x: 0, y: 0, width: 10, height: 10, lines: 0, truncated: false }] }
    const [element] = drawn(0, { ...cells(), heights: Heights.from([10]), frames, links: { name: '/people/1' } }).cell.children
    assert.deepEqual([element.name, element.attributes], ['div', { 'data-node': node, 'data-type': 'node' }])
  }
})

const spans = () => ({
  heights: Heights.fromArrow(fixture('spans/heights.arrow')),
  frames: Frames.fromArrow(fixture('spans/frames.arrow')),
  lines: Lines.fromArrow(fixture('spans/lines.arrow'), fixture('spans/texts.arrow')),
})

/** Returns the elements of the lines of a drawn text that are links, mentions or attachments. */
const partsOf = (text) => text.children.flatMap(({ children }) => children)
  .filter(({ attributes }) => attributes?.href ?? attributes?.src ?? attributes?.['data-kind'])

test('the links of a text lead to their addresses in each of its lines, and never run a script', () => {
  const parts = partsOf(drawn(0, spans()).nodes.text)
  const answer = 'https://answers.example/1?a=1&b=2'
  assert.deepEqual(parts.map(({ name, attributes, children }) => [name, attributes.href, attributes['data-kind'], ...children]), [
    ['a', '/people/ada', 'mention', '@ada'],
    ['span', undefined, 'hashtag', '#lists'],
    ['a', answer, 'link', 'the long answer'],
    ['a', answer, 'link', 'whose link goes over'],
    ['a', answer, 'link', 'two lines'],
    ['img', undefined, 'emoji'],
    ['span', undefined, 'chip'],
  ])
})

test('a text whose fonts are scaled has them in whole pixels, rounded as in the table', () => {
  const data = spans()
  const sizesAt = (/** @type {number} */ factor) => {
    const lines = { of: (row) => data.lines.of(row).map((text) => ({ ...text, pointSizeScaleFactor: factor })) }
    return drawn(3, { ...data, lines }).nodes.headline.children[0].children.slice(1).map((part) => part.children[0].style?.cssText)
  }
  assert.equal(data.lines.of(3)[0].pointSizeScaleFactor, 0.7)
  // The truncation string has another font.
  assert.deepEqual(sizesAt(1), [undefined, undefined])
  assert.deepEqual(new Set(sizesAt(0.75)), new Set(['font-size:round(0.75em + 0.00001px,1px)']))
})

test('a line has the tab stops of the first font of its text, and the truncation string the last font', () => {
  const runs = [{ start: 0, end: 2, font: 'body' }, { start: 2, end: 7, font: 'code' }, { start: 7, end: 8, font: 'small' }]
  const line = { x: 0, y: 0, width: 9, height: 9, baseline: 7, ellipsis: false, hyphen: false, rightToLeft: false }
  const text = 'a\nb\tc\nd'
  const part = (/** @type {any} */ element) => [element.attributes.class, element.children]
  const drawnLine = (/** @type {object} */ own, pointSizeScaleFactor = 1) => {
    const lines = { of: () => [{ node: 'text', text, runs, spans: [], pointSizeScaleFactor, lines: [{ ...line, ...own }] }] }
    const frames = { of: () => [{ node: 'text', type: 'text', parent: -1, x: 0, y: 0, width: 9, height: 9, lines: 1, truncated: false }] }
    const [{ attributes, children }] = drawn(0, { heights: Heights.from([9]), frames, lines }).nodes.text.children
    if (children[0].name === 'div') return [attributes.class, children[0].style.cssText, children[0].children.slice(1).map(part)]
    return [attributes.class, children.slice(1).map((child) => typeof child === 'string' ? child : part(child))]
  }
  assert.deepEqual(drawnLine({ characters: 'a', start: 0, end: 1 }), ['body', ['a']])
  assert.deepEqual(drawnLine({ characters: 'b\tc', start: 2, end: 5 }), ['body', [['code', ['b\tc']]]])
  assert.deepEqual(drawnLine({ characters: 'c', start: 4, end: 5 }), ['code', ['c']])
  assert.deepEqual(drawnLine({ characters: 'c\u2010', start: 4, end: 5, hyphen: true }), ['code', ['c\u2010']])
  assert.deepEqual(drawnLine({ characters: 'c…', start: 4, end: 5, ellipsis: true }), ['code', [['code', ['c']], ['small', ['…']]]])
  // The block whose font has the tab stops is as large as the characters.
  const [name, style, [[first, [{ style: size }]]]] = drawnLine({ characters: 'b\tc', start: 2, end: 5 }, 0.5)
  assert.deepEqual([name, style, first, size.cssText], ['body', 'font-size:round(0.5em + 0.00001px,1px)', 'code', style])
})

test('the text of a link has no other links', () => {
  const text = drawn(0, { ...spans(), links: { text: '/notes/1' } }).nodes.text
  assert.equal(text.name, 'a')
  assert.deepEqual(new Set(partsOf(text).map(({ name }) => name)), new Set(['span', 'img']))
})

test('an attachment is an image with its rectangle, or a box if it has no address', () => {
  const [emoji, chip] = partsOf(drawn(0, spans()).nodes.text).slice(-2)
  assert.equal(emoji.attributes.src, 'https://img.example/wave.png')
  assert.match(emoji.style.cssText, /width:20px;height:20px;vertical-align:-4px/)
  assert.match(chip.style.cssText, /width:64px;height:18px;vertical-align:0px/)
})

test('the lines of a justified text are as wide as its room, but for the last of a paragraph and those that are cut', () => {
  const stretched = ({ style }) => /min-width:152px;text-align-last:justify/.test(style.cssText)
  const { nodes } = drawn(1, spans())
  assert.deepEqual(nodes.column.children.map(stretched), [true, true, true, true, true, true, false])
  assert.deepEqual(drawn(0, spans()).nodes.text.children.filter(stretched), [])
})

test('a row that is not in the tables is an error, and one behind it has its own frames', () => {
  const data = cells()
  const whole = drawn(0, data).cell.children.map(({ style }) => style.cssText)
  data.heights.splice(0, 0, [40])
  assert.throws(() => drawn(0, data), { name: 'RangeError', message: /Row 0 was inserted or updated .* Lay it out/ })
  assert.deepEqual(drawn(1, data).cell.children.map(({ style }) => style.cssText), whole)
  data.heights.update(1, 60)
  assert.throws(() => drawn(1, data), { name: 'RangeError', message: /Row 1 was inserted or updated/ })
  assert.throws(() => drawn(99, data), { name: 'RangeError', message: /There is no row 99/ })
})

test('properties of images and ranges that there are not are errors that name those that there are', () => {
  const data = cells()
  for (const [wrong, name, message] of /** @type {any[]} */ ([
    [{ images: { name: { source: '/a.jpg' } } }, 'TypeError', /no property 'source' in the image of name, only src, alt/],
    [{ images: { name: '/a.jpg' } }, 'TypeError', /Pass an object for the image of name, .* not '\/a\.jpg'/],
    [{ range: 'visble' }, 'RangeError', /range of a row is 'visble': pass one of 'visible', 'display', 'preload'/],
  ])) assert.throws(() => drawn(0, { ...data, ...wrong }), { name, message })
})

test('tables that are promises or missing, or of other runs, are errors that say which', () => {
  const data = cells()
  assert.throws(() => drawn(0, { ...data, lines: undefined }), { name: 'TypeError', message: /for lines, .* not undefined/ })
  assert.throws(() => drawn(0, { ...data, frames: Promise.resolve(data.frames) }), { name: 'TypeError', message: /for frames, awaited/ })
  const lines = { of: (/** @type {number} */ row) => data.lines.of(row).slice(1) }
  assert.throws(() => drawn(0, { ...data, lines }), /Row 0 has the text name in frames\.arrow, where texts\.arrow has handle/)
  // The other run has as many frames in all.
  const file = Buffer.from(fixture('posts/heights.arrow'))
  const counts = file.indexOf(Buffer.from(Uint32Array.of(7, 7, 9, 8, 7).buffer))
  file.writeUInt32LE(9, counts + 4)
  file.writeUInt32LE(7, counts + 8)
  const mixed = { ...data, heights: Heights.fromArrow(file) }
  assert.throws(() => drawn(0, mixed), /^Error: The heights and the frames are of two runs\. Read all tables from one directory/)
  assert.throws(() => verify(/** @type {any} */ (new TestElement('div')), 0, mixed), /of two runs/)
})

test('a row that is not in the tables is not verified', () => {
  const data = cells()
  data.heights.splice(0, 0, [40])
  // An observer would be an error, as there is none here.
  assert.equal(verify(/** @type {any} */ (new TestElement('div')), 0, data)(), undefined)
})

test('the length of a row is verified without the transforms around it', () => {
  Object.assign(globalThis, { ResizeObserver: class {
    constructor(compare) { this.observe = compare }
  } })
  Object.assign(globalThis, { HTMLElement: TestElement })
  Object.assign(document, { fonts: { status: 'loaded' } })
  const { heights, frames } = cells()
  /** @type {string[]} */
  const warnings = []
  const { warn } = console
  console.warn = (warning) => warnings.push(warning)
  for (const [row, factor, change] of [[0, 0.9, 0], [0, 0, 0], [0, 0.9, 0.9], [0, 1, 0.9], [1, 1, 1.1], [2, 0.9, 4]]) {
    const height = heights.heightOf(row) + change
    verify(/** @type {any} */ ({
      offsetWidth: 200, offsetHeight: Math.round(height), textContent: '',
      getClientRects: () => [0], querySelector: () => null, querySelectorAll: () => [],
      getBoundingClientRect: () => ({ left: 0, top: 0, width: 200 * factor, height: height * factor }),
    }), row, { heights, frames, id: `${row} × ${factor} + ${change}` })
  }
  console.warn = warn
  assert.deepEqual(warnings.map((warning) => /^row (.*?) is /.exec(warning)?.[1]), ['1 × 1 + 1.1', '2 × 0.9 + 4'])
  assert.match(warnings[1], new RegExp(`is ${heights.heightOf(2) + 4} px high, the table says ${heights.heightOf(2)}\\.`))
})

test('a row whose texts are not found is reported, unless it is empty yet', () => {
  const { heights, frames } = cells()
  /** @type {string[]} */
  const warnings = []
  const { warn } = console
  console.warn = (warning) => warnings.push(warning)
  for (const textContent of ['', 'Ada']) {
    const [width, height] = [200, heights.heightOf(0)]
    verify(/** @type {any} */ ({
      offsetWidth: width, offsetHeight: height, textContent, getClientRects: () => [0], querySelector: () => null,
      querySelectorAll: () => [], getBoundingClientRect: () => ({ left: 0, top: 0, width, height }),
    }), 0, { heights, frames })
  }
  console.warn = warn
  assert.equal(warnings.length, 1)
  assert.match(warnings[0], /^row 0 is as high as in the table\. No element has the name of a text/)
})

test('nodes are found by their names, by classes with their cell in front, or by data-node', () => {
  /** @param {string[]} nodes @param {string[]} elements The classes of each element, or `=` and its `data-node`. */
  const found = (nodes, elements) => {
    const all = elements.map((names) => Object.assign(new TestElement('div'), {
      names, classList: names.split(' '), getAttribute: () => names.slice(1),
    }))
    const row = { querySelector: () => elements[0].startsWith('=') ? all[0] : null, querySelectorAll: () => all }
    const frames = nodes.map((node) => ({ node, type: 'text' }))
    return nodesOf(/** @type {any} */ (row), /** @type {any} */ (frames), []).map(({ frame, found }) => `${frame.node}: ${found.names}`)
  }
  assert.deepEqual(found(['text', 'name'], ['name', 'text']), ['text: text', 'name: name'])
  assert.deepEqual(found(['text', 'name'], ['PostCell-name', 'PostCell-text', 'text']), ['text: PostCell-text', 'name: PostCell-name'])
  assert.deepEqual(found(['name', 'quoted-text', 'text'], ['C-name', 'C-quoted-text', 'C-text big-text']), [
    'name: C-name', 'quoted-text: C-quoted-text', 'text: C-text big-text'])
  assert.deepEqual(found(['a b.0', 'a b.1', 'photo'], ['C-a-b', 'C-a-b x', 'photo']), ['a b.0: C-a-b', 'a b.1: C-a-b x', 'photo: photo'])
  assert.deepEqual(found(['text', 'name'], ['context', 'C-name-run-0']), [])
  assert.deepEqual(found(['c.0', 'c.1'], ['=c.1', '=c.0']), ['c.0: =c.0', 'c.1: =c.1'])
})

test('tables of runs that differ only in their content are errors', () => {
  const content = (/** @type {string} */ table) => Buffer.from(fixture(`spans/${table}.arrow`))
  const other = (/** @type {string} */ table) => {
    const file = content(table)
    const checksum = file.lastIndexOf(Frames.fromArrow(content('frames')).framesChecksum ?? '')
    file[checksum] = file[checksum] === 0x30 ? 0x31 : 0x30
    return file
  }
  const data = {
    heights: Heights.fromArrow(content('heights')), frames: Frames.fromArrow(content('frames')),
    lines: Lines.fromArrow(content('lines'), content('texts')),
  }
  drawn(0, data)
  assert.throws(() => drawn(0, { ...data, frames: Frames.fromArrow(other('frames')) }), /The heights and the frames are of two runs/)
  const lines = Lines.fromArrow(other('lines'), other('texts'))
  assert.throws(() => drawn(0, { ...data, lines }), /The heights and the lines are of two runs/)
  assert.throws(() => Lines.fromArrow(content('lines'), other('texts')), /The lines and the texts are of two runs/)
})
