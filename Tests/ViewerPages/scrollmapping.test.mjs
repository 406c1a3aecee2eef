import assert from 'node:assert/strict'
import test from 'node:test'

import { MAX_RELATIVE_VIEWPORTS, MAX_SCROLL_HEIGHT, ScrollMapping } from '../../Sources/Web/Viewer/Pages/scrollmapping.js'

/** Returns a source of random numbers from 0 to 1 (mulberry32). */
function random(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296
  }
}

function mappings(seed) {
  const next = random(seed)
  return Array.from({ length: 200 }, () => {
    const size = Math.floor(10 ** (2 + next() * 8)) / 2
    return { mapping: new ScrollMapping(size, 300 + Math.floor(next() * 900)), next }
  })
}

test('positions grow with offsets, stay within the element, and lead back to their offset', () => {
  for (const { mapping, next } of mappings(1)) {
    let lastOffset = 0
    let lastPosition = 0
    const offsets = Array.from({ length: 50 }, () => next() * mapping.maxOffset).sort((a, b) => a - b)
    for (const offset of [0, ...offsets, mapping.maxOffset]) {
      const position = mapping.positionOf(offset)
      assert.ok(position >= lastPosition && position <= mapping.maxPosition, `${offset} is at ${position}`)
      if (offset > lastOffset) assert.ok(position > lastPosition)
      assert.ok(Math.abs(mapping.offsetOf(position) - offset) <= 1e-6 * Math.max(offset, 1))
      lastOffset = offset
      lastPosition = position
    }
    assert.equal(mapping.positionOf(mapping.maxOffset), mapping.maxPosition)
    assert.equal(mapping.positionOf(0), 0)
  }
})

test('the scrolled element is never taller than browsers allow, and as tall as the list if that is less', () => {
  for (const { mapping } of mappings(2)) {
    assert.equal(mapping.scrollHeight, Math.min(mapping.size, MAX_SCROLL_HEIGHT))
    assert.equal(mapping.isScaled, mapping.size > MAX_SCROLL_HEIGHT)
  }
})

test('small steps move the list by as many points, and large ones to where the thumb is', () => {
  for (const { mapping, next } of mappings(3)) {
    for (let round = 0; round < 40; round += 1) {
      mapping.jumpTo(next() * mapping.maxOffset)
      const { offset, position } = mapping
      const step = (next() - 0.5) * 2 * MAX_RELATIVE_VIEWPORTS * mapping.viewport
      const to = Math.min(Math.max(position + step, 0), mapping.maxPosition)
      mapping.scrollTo(to)
      const expected = Math.min(Math.max(offset + to - position, 0), mapping.maxOffset)
      // The last point before an end of the list is passed over where the element ends.
      const isAtEnd = to === 0 || to === mapping.maxPosition
      assert.ok(Math.abs(mapping.offset - expected) <= Math.max(1e-6 * Math.max(1, expected), isAtEnd ? 1 : 0))
      const far = next() * mapping.maxPosition
      if (Math.abs(far - to) <= MAX_RELATIVE_VIEWPORTS * mapping.viewport) continue
      mapping.scrollTo(far)
      assert.equal(mapping.offset, mapping.offsetOf(far))
    }
  }
})

test('both ends can be reached by small steps, whatever was scrolled before', () => {
  for (const { mapping, next } of mappings(4).slice(0, 60)) {
    mapping.jumpTo(Math.min(next() * 1e6, mapping.maxOffset))
    const sign = next() < 0.5 ? -1 : 1
    if (sign > 0) mapping.jumpTo(Math.max(mapping.maxOffset - next() * 1e6, 0))
    const target = sign < 0 ? 0 : mapping.maxOffset
    const step = 4 * mapping.viewport
    for (let count = 0; mapping.offset !== target; count += 1) {
      assert.ok(count < 1e6 / step + 10, `${mapping.offset} of ${mapping.maxOffset} after ${count} steps`)
      mapping.scrollTo(Math.min(Math.max(mapping.position + sign * step, 0), mapping.maxPosition))
      if (mapping.isFarOff) mapping.jumpTo(mapping.offset)
    }
    assert.ok(!mapping.isFarOff)
  }
})

test('the thumb is at most a sixteenth of its way from where it belongs', () => {
  for (const { mapping, next } of mappings(5)) {
    for (let round = 0; round < 200; round += 1) {
      const step = (next() - 0.4) * 30 * mapping.viewport
      mapping.scrollTo(Math.min(Math.max(mapping.position + step, 0), mapping.maxPosition))
      if (mapping.isFarOff) mapping.jumpTo(mapping.offset)
      const distance = Math.abs(mapping.positionOf(mapping.offset) - mapping.position)
      assert.ok(distance <= mapping.maxPosition / 16 + 1, `${distance} of ${mapping.maxPosition}`)
    }
  }
})
