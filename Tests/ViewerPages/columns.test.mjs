import assert from 'node:assert/strict'
import test from 'node:test'

import { variantLabel } from '../../Sources/Web/Viewer/Pages/columns.js'

const plain = { width: 390, platform: 'texture', text_scale: 1, text_size: null, layout_direction: 'ltr', scale: 2 }

test('a label has what tells a variant from the default one', () => {
  assert.equal(variantLabel(plain), '390 pt')
  assert.equal(variantLabel({ ...plain, platform: null, layout_direction: null }), '390 pt')
  assert.equal(variantLabel({ ...plain, platform: 'web' }), '390 pt · web')
  assert.equal(
    variantLabel({ ...plain, platform: 'android', text_scale: 1.3, text_size: 'AX1', layout_direction: 'rtl', scale: 3 }),
    '390 pt · android · text ×1.3 · text AX1 · rtl · @3x')
})
