import assert from 'node:assert/strict'
import test from 'node:test'

import { CellPage } from '../../Sources/Web/Viewer/Pages/cellpage.js'

const variants = [{ name: 'a' }, { name: 'b' }]
/** The cell of a row of a layout. */
const cellOf = (revision, row, id) => ({ row, id, height: revision, nodes: [{}, {}] })

/** Returns a layout of rows with some ids, and a function that lets it reply. */
function layout(revision, ids) {
  let reply = () => {}
  const gate = new Promise((resolve) => { reply = resolve })
  const server = {
    revision,
    async cellLike(variant, other, rows, signal) {
      assert.equal(rows, ids.length)
      await gate
      signal.throwIfAborted()
      const row = ids.indexOf(other.id)
      return row < 0 ? null : cellOf(revision, row, other.id)
    },
  }
  return { list: { rows: ids.length, variants }, server, reply }
}

/** Returns a page that shows the second of two rows. */
function selected() {
  const page = new CellPage(() => {})
  page.selection = { cell: cellOf(1, 1, 'y'), variant: variants[0], node: -1, server: { revision: 1 } }
  return page
}

test('the selected cell of a new layout has the same id, and the node that was chosen last', async () => {
  const page = selected()
  const next = layout(2, ['new', 'x', 'y'])
  const following = page.follow(next)
  page.selection = { ...page.selection, node: 1 }
  next.reply()
  assert.ok(await following)
  const { cell, node, server } = page.selection
  assert.deepEqual([cell.row, cell.height, node, server.revision], [2, 2, 1, 2])
})

test('a reply of an earlier layout, and one after another cell was chosen, change nothing', async () => {
  const page = selected()
  const [second, third] = [layout(2, ['x', 'y']), layout(3, ['x', 'y'])]
  const late = page.follow(second)
  const following = page.follow(third)
  second.reply()
  await assert.rejects(late, { name: 'AbortError' })
  const chosen = { cell: cellOf(3, 0, 'x'), variant: variants[1], node: 0, server: third.server }
  page.selection = chosen
  third.reply()
  assert.equal(await following, false)
  assert.equal(page.selection, chosen)
})

test('no cell is selected if the new layout has none with its id, or not its variant', async () => {
  for (const [ids, remaining] of [[['x'], variants], [['x', 'y'], variants.slice(1)]]) {
    const page = selected()
    const next = layout(2, ids)
    next.list.variants = remaining
    next.reply()
    assert.ok(await page.follow(next))
    assert.equal(page.selection, null)
  }
})
