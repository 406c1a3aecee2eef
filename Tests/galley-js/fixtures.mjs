import { readFileSync } from 'node:fs'

/** @param {string} name */
export const fixture = (name) => readFileSync(new URL(`fixtures/${name}`, import.meta.url))
