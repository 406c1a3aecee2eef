// What a program in Node.js or React Native does, which has no types of pages.

import { Heights, draw } from 'galley-js'

export const stored: Heights = Heights.fromArrow(new Uint8Array(8))
export const fetched: Promise<Heights> = Heights.fromArrow('https://example.org/heights.arrow')
export const drawing: string = draw.name

// @ts-expect-error: a buffer is read at once.
export const promised: Promise<Heights> = Heights.fromArrow(new ArrayBuffer(8))
