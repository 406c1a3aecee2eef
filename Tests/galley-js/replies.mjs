// Compares replies of galley prefetch with those of galley.js: `node replies.mjs DIRECTORY [AXIS]`. The
// directory has heights.arrow, resources.arrow, queries.jsonl and replies.jsonl.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Heights, Resources } from '../../Sources/galley-js/galley.js'
import { checkReplies } from './checks.mjs'

const [directory, axis = 'vertical'] = process.argv.slice(2)
const list = Heights.fromArrow(readFileSync(join(directory, 'heights.arrow')), { axis: /** @type {any} */ (axis) })
list.resources = Resources.fromArrow(readFileSync(join(directory, 'resources.arrow')))
const [queries, replies] = ['queries.jsonl', 'replies.jsonl'].map((name) => readFileSync(join(directory, name), 'utf8'))
console.log(`Node.js: ${checkReplies(list, queries, replies)} replies of galley prefetch compared (${axis})`)
