// The elements of a cell's nodes, and how they differ from the frames.

import { fontNote, lineCount, rounded, wrongLine } from './verifytexts.js'

/** @typedef {import('./frames.js').Frame} Frame */
/** @typedef {import('./lines.js').Text} Text */
/** @typedef {import('./verifyscale.js').Scale} Scale */

/**
 * A node of a cell and the element that shows it.
 *
 * @typedef {object} VerifiedNode
 * @property {Frame} frame
 * @property {HTMLElement} found
 * @property {Text | undefined} text Its lines, if the frame is that of a text and they are known.
 */

/** The points by which a length may differ: a browser and a layout for another platform round to other pixels. */
export const TOLERANCE = 1

/**
 * Returns the nodes whose elements are in the element of a row.
 *
 * @param {HTMLElement} element
 * @param {Frame[]} frames
 * @param {Text[]} texts
 * @returns {VerifiedNode[]}
 */
export function nodesOf(element, frames, texts) {
  const isNamed = element.querySelector('[data-node]') !== null
  /** @type {Map<string, number>} */
  const counts = new Map()
  let textCount = 0
  return frames.flatMap((frame) => {
    const text = frame.type === 'text' ? texts[textCount] : undefined
    if (frame.type === 'text') textCount += 1
    // A repeated node has its index at the end of its name, which a class can lack.
    const name = isNamed ? frame.node : frame.node.replace(/(\.\d+)+$/, '')
    const index = counts.get(name) ?? 0
    counts.set(name, index + 1)
    const selector = isNamed ? `[data-node="${CSS.escape(name)}"]` : `.${CSS.escape(name)}`
    const found = element.querySelectorAll(selector)[index]
    return found instanceof HTMLElement ? [{ frame, found, text }] : []
  })
}

/**
 * Returns what to say of a node that differs from its frame. Heights only matter in a row that has another one.
 *
 * @param {VerifiedNode} node
 * @param {boolean} isRowRight
 * @param {Scale} scale
 * @returns {string[]}
 */
export function differencesOf({ frame, found, text }, isRowRight, scale) {
  const name = `.${frame.node}`
  if (frame.type === 'text') {
    const count = lineCount(found, frame.truncated)
    if (count !== frame.lines) return [`${name} is ${counted(count)}, not ${frame.lines}${fontNote(found)}`]
    const line = text === undefined ? null : wrongLine(found, text, scale)
    if (line !== null) return [`line ${line.number} of ${name} is ${line.width} px wide, not ${line.expected}${fontNote(found)}`]
  }
  const height = found.getBoundingClientRect().height / scale.height
  if (isRowRight || Math.abs(height - frame.height) < TOLERANCE) return []
  return [`${name} is ${rounded(height)} px high, not ${rounded(frame.height)}`]
}

/** @param {number} lines */
function counted(lines) {
  return lines === 1 ? '1 line' : `${lines} lines`
}
