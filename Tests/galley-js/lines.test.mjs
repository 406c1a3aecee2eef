import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Lines, spanAt } from '../../Sources/galley-js/galley.js'
import { fixture } from './fixtures.mjs'

const lines = Lines.fromArrow(fixture('posts/lines.arrow'), fixture('posts/texts.arrow'))

test('the lines of a text are its characters without the spaces between them', () => {
  for (let row = 0; row < 5; row += 1) {
    for (const { text, lines: drawn } of lines.of(row)) {
      let end = 0
      for (const line of drawn) {
        assert.ok(line.start >= end && line.end >= line.start)
        assert.equal(text.slice(end, line.start).trim(), '')
        if (!line.ellipsis && !line.hyphen) assert.equal(line.characters, text.slice(line.start, line.end))
        end = line.end
      }
    }
  }
})

test('the runs of a text have the names of fonts, and cover it', () => {
  const [name, , location] = lines.of(0)
  assert.deepEqual([name.runs, location.runs], [[{ start: 0, end: 12, font: 'name' }], [{ start: 0, end: 4, font: 'small' }]])
  for (let row = 0; row < 5; row += 1) {
    for (const { text, runs } of lines.of(row)) assert.equal(runs.reduce((end, run) => end + run.end - run.start, 0), text.length)
  }
})

test('lines lie below each other in their text', () => {
  const text = lines.of(0).find(({ node }) => node === 'text')
  assert.ok(text && text.lines.length > 1)
  text.lines.forEach((line, index) => {
    assert.equal(line.y, index * line.height)
    assert.ok(line.baseline > line.y && line.baseline < line.y + line.height && line.width <= 200)
  })
})

test('a row without the text has no lines', () => {
  assert.deepEqual(lines.lines(0, 'nothing'), [])
  assert.deepEqual(lines.of(99), [])
})

test('an empty text does not have the lines of the next one of its name', () => {
  /** A table of one row, as `readArrow` returns it. */
  const table = (columns) => {
    const at = (column, record) => columns[column]?.[record] ?? 0
    return { numbers: (column) => columns[column], number: at, string: at, records: () => [], has: () => false }
  }
  const drawn = new Lines(
    table({ row: [0, 0], node: ['t', 't'], line: [0, 1], start: [0, 1], end: [0, 7] }),
    table({ row: [0, 0], node: ['t', 't'], text: ['', '\nsecond'] }))
  assert.deepEqual(drawn.of(0).map(({ lines }) => lines.map(({ characters }) => characters)), [[], ['', 'second']])
})

test('the spans of a text are its links, mentions and attachments, line by line', () => {
  const [{ text, spans }] = Lines.fromArrow(fixture('spans/lines.arrow'), fixture('spans/texts.arrow')).of(0)
  assert.deepEqual(spans.slice(0, 5).map(({ line, start, end, url, kind }) => [line, text.slice(start, end), url, kind]), [
    [0, '@ada', '/people/ada', 'mention'],
    [0, '#lists', '', 'hashtag'],
    [1, 'the long answer', 'https://answers.example/1?a=1&b=2', 'link'],
    [2, 'whose link goes over', 'https://answers.example/1?a=1&b=2', 'link'],
    [3, 'two lines', 'https://answers.example/1?a=1&b=2', 'link'],
  ])
  const emoji = spans.find(({ kind }) => kind === 'emoji')
  assert.deepEqual([text.slice(emoji.start, emoji.end), emoji.width, emoji.height], ['\uFFFC', 20, 20])
})

test('the span at a point is the one whose rectangle has it', () => {
  const [text] = Lines.fromArrow(fixture('spans/lines.arrow'), fixture('spans/texts.arrow')).of(0)
  for (const span of text.spans) {
    assert.equal(spanAt(text, span.x, span.y), span)
    assert.equal(spanAt(text, span.x + span.width / 2, span.y + span.height - 1), span)
    assert.notEqual(spanAt(text, span.x + span.width, span.y), span)
    assert.notEqual(spanAt(text, span.x, span.y + span.height), span)
  }
  assert.equal(spanAt(text, 0, 0), null)
})

test('texts of tables of earlier versions have no spans and fonts of their own sizes', () => {
  for (let row = 0; row < 5; row += 1) {
    for (const text of lines.of(row)) assert.deepEqual([text.spans, spanAt(text, 1, 1), text.pointSizeScaleFactor], [[], null, 1])
  }
})

test('other files are errors that name the table that they are', () => {
  assert.throws(() => Lines.fromArrow(fixture('posts/texts.arrow'), fixture('posts/texts.arrow')), /lines\.arrow has the columns of texts\.arrow\. Pass lines\.arrow/)
})
