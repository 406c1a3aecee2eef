// The lines of texts as a browser has broken and drawn them.

/** @typedef {import('./lines.js').Text} Text */
/** @typedef {import('./verifyscale.js').Scale} Scale */

/** Punctuation that a paragraph makes half as wide where it does not fit at the end of a line; a line alone keeps its width. */
const FULL_WIDTH_END = /[\u3000-\u303F\uFF00-\uFFEF]$/

/**
 * Returns the number of lines in which a browser shows a text.
 *
 * @param {HTMLElement} element
 * @param {boolean} isTruncated Whether the lines below the element's end are cut, which have places nevertheless.
 */
export function lineCount(element, isTruncated) {
  const range = document.createRange()
  range.selectNodeContents(element)
  const { bottom: end } = element.getBoundingClientRect()
  const rects = Array.from(range.getClientRects())
    .filter(({ top, bottom, height }) => height > 0 && !(isTruncated && (top + bottom) / 2 > end))
    .sort((first, second) => first.top - second.top)
  let count = 0
  let bottom = -Infinity
  for (const rect of rects) {
    // Runs of one line have other tops if their fonts differ. A line begins when the middle of a run is below the last line.
    if ((rect.top + rect.bottom) / 2 < bottom) continue
    count += 1
    bottom = rect.bottom
  }
  return count
}

/**
 * Returns the first line of a text that is drawn wider or narrower than in the table, if the page draws each line as an element
 * that does not wrap; null if there is none.
 *
 * @param {HTMLElement} element
 * @param {Text} text
 * @param {Scale} scale
 */
export function wrongLine(element, { lines }, scale) {
  if (element.children.length !== lines.length) return null
  for (const [index, { characters, width: expected, height }] of lines.entries()) {
    const line = element.children[index]
    if (getComputedStyle(line).whiteSpace !== 'pre') return null
    const width = line.getBoundingClientRect().width / scale.width
    // A browser kerns the character before a truncation string: Inter by up to a thirteenth of its size.
    const tolerance = Math.max(1, height / 10)
    if (Math.abs(width - expected) <= tolerance || FULL_WIDTH_END.test(characters)) continue
    return { number: index + 1, width: rounded(width), expected: rounded(expected) }
  }
  return null
}

/**
 * Returns a note on the first font of a text if the page does not have it.
 *
 * @param {HTMLElement} element
 */
export function fontNote(element) {
  const first = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()
  const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(first?.parentElement ?? element)
  const family = fontFamily.split(',')[0].trim()
  const style = `${fontStyle} ${fontWeight} ${fontSize}`
  const isDeclared = Array.from(document.fonts).some((face) => unquoted(face.family) === unquoted(family))
  const isThere = isDeclared ? document.fonts.check(`${style} ${family}`, first?.textContent ?? '') : isInstalled(style, family)
  return isThere ? '' : ` (font ${unquoted(family)} ${fontWeight} not loaded?)`
}

/** Returns a note on device pixels that are not those of the page: a browser can give glyphs other widths by them. */
export function pixelNote() {
  return devicePixelRatio === 1 ? '' : ` (devicePixelRatio is ${rounded(devicePixelRatio)}: zoom, or the scale of the screen?)`
}

/**
 * Returns whether a browser has a font that the page does not declare: without it, texts have the widths of the font that comes
 * next, whichever it is. `document.fonts.check` is true of all such fonts.
 *
 * @param {string} style
 * @param {string} family
 */
function isInstalled(style, family) {
  const context = document.createElement('canvas').getContext('2d')
  if (context === null) return true
  return ['serif', 'monospace'].some((next) => {
    const [own, other] = [`${family}, ${next}`, next].map((families) => {
      context.font = `${style} ${families}`
      return context.measureText('The quick brown fox 0123').width
    })
    return own !== other
  })
}

/** @param {string} family */
function unquoted(family) {
  return family.replace(/^(["'])(.*)\1$/, '$2')
}

/**
 * Returns a number of points with at most two decimals.
 *
 * @param {number} points
 */
export function rounded(points) {
  return Math.round(points * 100) / 100
}
