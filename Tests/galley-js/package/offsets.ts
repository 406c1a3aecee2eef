// A program that only needs heights: a bundler leaves out what draws and verifies.

import { Heights } from 'galley-js'

const list = Heights.from([100, 50, 300])
list.update(1, 60)
console.log(list.offsetOf(2), list.rowAt(170))
