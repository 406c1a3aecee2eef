// The elements of a cell's nodes, and how they differ from the frames.

import { fontNote, lineCount, pixelNote, rounded, wrongLine } from './verifytexts.js'

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
  // A repeated node has its index at the end of its name, which a class can lack.
  const names = frames.map(({ node }) => isNamed ? node : node.replace(/(\.\d+)+$/, '').replace(/\s/g, '-'))
  const elements = isNamed ? elementsByData(element) : elementsByClass(element, new Set(names))
  /** @type {Map<string, number>} */
  const counts = new Map()
  let textCount = 0
  return frames.flatMap((frame, position) => {
    const text = frame.type === 'text' ? texts[textCount] : undefined
    if (frame.type === 'text') textCount += 1
    const name = names[position]
    const index = counts.get(name) ?? 0
    counts.set(name, index + 1)
    const found = elements.get(name)?.[index]
    return found instanceof HTMLElement ? [{ frame, found, text }] : []
  })
}

/**
 * Returns the elements of the nodes of a row by the values of `data-node`.
 *
 * @param {HTMLElement} row
 */
function elementsByData(row) {
  /** @type {Map<string, Element[]>} */
  const elements = new Map()
  for (const element of row.querySelectorAll('[data-node]')) add(elements, element.getAttribute('data-node') ?? '', element)
  return elements
}

/**
 * Returns the elements of the nodes of a row by name. The class of a node is its name, or its name behind that of the cell, as in
 * the style sheet of `galley css`. The frames do not state the cell, which is what precedes most of the names.
 *
 * @param {HTMLElement} row
 * @param {Set<string>} names
 */
function elementsByClass(row, names) {
  /** @type {Map<string, Map<string, Element[]>>} */
  const cells = new Map([['', new Map()]])
  for (const element of row.querySelectorAll('[class]')) {
    for (const className of element.classList) {
      for (const name of names) {
        const cell = className.slice(0, -name.length)
        if (!className.endsWith(name) || (cell !== '' && !cell.endsWith('-'))) continue
        const elements = cells.get(cell) ?? new Map()
        cells.set(cell, elements)
        add(elements, name, element)
      }
    }
  }
  const [own, ...others] = cells.values()
  const [most = new Map()] = others.sort((one, other) => other.size - one.size)
  return new Map(most.size > own.size ? [...own, ...most] : [...most, ...own])
}

/**
 * @param {Map<string, Element[]>} elements
 * @param {string} name
 * @param {Element} element
 */
function add(elements, name, element) {
  const others = elements.get(name)
  if (others === undefined) elements.set(name, [element])
  else others.push(element)
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
    if (count !== frame.lines) {
      const note = fontNote(found) || (count > frame.lines ? pixelNote() : '')
      return [`${name} is ${counted(count)}, not ${frame.lines}${note}`]
    }
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
