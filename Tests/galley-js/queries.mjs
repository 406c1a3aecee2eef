// Prints random queries of a list, one on each line: `node queries.mjs HEIGHTS COUNT SEED [AXIS]`.

import { readFileSync } from 'node:fs'
import { Heights } from '../../Sources/galley-js/galley.js'
import { randomNumbers, randomQuery } from './random.mjs'

const [file, count, seed, axis = 'vertical'] = process.argv.slice(2)
const list = Heights.fromArrow(readFileSync(file), { axis: /** @type {any} */ (axis) })
const random = randomNumbers(Number(seed))
for (let query = 0; query < Number(count); query += 1) console.log(JSON.stringify(randomQuery(random, list)))
