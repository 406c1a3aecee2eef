// Why an element of a cell has its size, in sentences, from its line in the tree of `galley inspect --tree`.

/**
 * @typedef {object} TreeLine
 * @property {number} depth
 * @property {string} type
 * @property {number} width
 * @property {number} height
 * @property {number} x
 * @property {number} y
 * @property {[number, number]} widths The least and the greatest width that the parent allows.
 * @property {[number, number]} heights
 * @property {string} style
 */

const NUMBER = '(-?(?:inf|[\\d.]+(?:e[+-]?\\d+)?))'
const LINE = new RegExp(
  `^( *)(\\S+)(?: \\([^]*\\))? ${NUMBER}x${NUMBER} at ${NUMBER},${NUMBER} in ${NUMBER}x${NUMBER}\\.\\.${NUMBER}x${NUMBER}`
    + '(?: \\{(.*)\\})?')

/**
 * Reads a line of the tree, or returns null if it is none of an element.
 *
 * @param {string} text
 * @returns {TreeLine | null}
 */
export function treeLine(text) {
  const match = LINE.exec(text)
  if (match === null) return null
  const [, indent, type, ...rest] = match
  const [width, height, x, y, minWidth, minHeight, maxWidth, maxHeight] = rest.slice(0, 8).map(number)
  return {
    depth: indent.length / 2, type, width, height, x, y, widths: [minWidth, maxWidth],
    heights: [minHeight, maxHeight], style: rest[8] ?? '',
  }
}

/** @param {string} text */
function number(text) {
  if (text === 'inf') return Infinity
  return text === '-inf' ? -Infinity : Number(text)
}

/**
 * Returns sentences that say where the size of an element is from.
 *
 * @param {TreeLine} line
 * @param {TreeLine | null} parent
 * @returns {string[]}
 */
export function explanation(line, parent) {
  const by = parent === null ? 'The list' : `The ${parent.type}`
  const sentences = [
    dimension('width', line.width, line.widths, by, line.style),
    dimension('height', line.height, line.heights, by, line.style),
  ]
  if (parent !== null) sentences.push(`It is at ${points(line.x)}, ${points(line.y)} in the ${parent.type}.`)
  return sentences
}

/**
 * @param {'width' | 'height'} name
 * @param {number} value
 * @param {[number, number]} range
 * @param {string} by
 * @param {string} style
 */
function dimension(name, value, [least, greatest], by, style) {
  const set = new RegExp(`\\b${name}: ([^,}]+)`).exec(style)?.[1]
  if (least === greatest) return `${by} gives it exactly ${points(value)} of ${name}.`
  if (set !== undefined && set !== 'auto') return `Its style sets the ${name} to ${set}.`
  if (value >= greatest) return `It is as much as ${by.toLowerCase()} allows: ${points(value)} of ${name}.`
  if (value <= least && least > 0) return `It is as little as ${by.toLowerCase()} allows: ${points(value)} of ${name}.`
  const limit = greatest === Infinity ? 'without a limit' : `of at most ${points(greatest)}`
  return `Its content decides the ${name} ${limit}: ${points(value)}.`
}

/** @param {number} value */
function points(value) {
  return `${Math.round(value * 100) / 100} pt`
}
