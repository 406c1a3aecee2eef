import assert from 'node:assert/strict'
import test from 'node:test'

import { explanation, treeLine } from '../../Sources/Web/Viewer/Pages/explanation.js'

test('a line of the tree is read with its depth, size, place, size range and style', () => {
  assert.deepEqual(
    treeLine('    NetworkImageNode (avatar) 48x48.5 at 0,-2 in 0x10..infx20 {width: 48pt, height: 48pt}'),
    {
      depth: 2, type: 'NetworkImageNode', width: 48, height: 48.5, x: 0, y: -2, widths: [0, Infinity],
      heights: [10, 20], style: 'width: 48pt, height: 48pt',
    })
  assert.equal(treeLine('overflows by 3 points'), null)
})

test('an id with parentheses and a ratio are no part of the numbers', () => {
  const sizes = (line) => [treeLine(line)?.width, treeLine(line)?.height]
  assert.deepEqual(sizes('  TextNode (head (x)) 30x19 at 0,0 in 0x0..320xinf'), [30, 19])
  assert.deepEqual(sizes('TextNode (1x2 at 3,4 in 5x6..7x8) (9) 30x19 at 0,0 in 0x0..320xinf {width: 30pt}'), [30, 19])
  assert.deepEqual(sizes('RatioLayoutSpec (photo) (0.5) 320x160 at 0,0 in 320x0..320xinf'), [320, 160])
})

test('sizes are explained by the parent, the style or the content', () => {
  const parent = treeLine('InsetLayoutSpec 390x309.5 at 0,0 in 390x0..390xinf')
  const line = treeLine('  TextNode (text) 298x60 at 0,24 in 298x0..298xinf')
  assert.deepEqual(explanation(line, parent), [
    'The InsetLayoutSpec gives it exactly 298 pt of width.', 'Its content decides the height without a limit: 60 pt.',
    'It is at 0 pt, 24 pt in the InsetLayoutSpec.',
  ])
  const styled = treeLine('NetworkImageNode (avatar) 48x40 at 0,0 in 0x0..infx40 {width: 48pt}')
  assert.deepEqual(explanation(styled, null), [
    'Its style sets the width to 48pt.', 'It is as much as the list allows: 40 pt of height.',
  ])
})
