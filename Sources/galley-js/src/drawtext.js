// Drawing the lines of a text in a web page.

/** @typedef {import('./lines.js').Line} Line */
/** @typedef {import('./lines.js').Run} Run */
/** @typedef {import('./lines.js').Text} Text */

/**
 * Returns an element for each line of a text.
 *
 * @param {Text} text
 */
export function textElements(text) {
  return text.lines.map((line) => lineElement(line, partsOf(line, text)))
}

/**
 * Returns an element at the place of a line. It cannot wrap, and its baseline is that of the table whatever its fonts are:
 * the glyphs have no height of their own, and a strut has that of the line above and below the baseline.
 *
 * @param {Line} line
 * @param {{ characters: string, font: string }[]} parts
 */
function lineElement({ x, y, height, baseline, rightToLeft }, parts) {
  const element = document.createElement('div')
  element.dir = rightToLeft ? 'rtl' : 'ltr'
  element.style.cssText = `position:absolute;white-space:pre;line-height:0;left:${x}px;top:${y}px;height:${height}px`
  const strut = document.createElement('span')
  strut.style.cssText = `display:inline-block;height:${height}px;vertical-align:${baseline - y - height}px`
  element.append(strut)
  if (parts.length > 0) element.className = parts[0].font
  if (parts.length === 1) element.append(parts[0].characters)
  else element.append(...parts.map(runElement))
  return element
}

/** @param {{ characters: string, font: string }} part */
function runElement({ characters, font }) {
  const element = document.createElement('span')
  element.className = font
  // The class of a font states a line height, which must not move the line.
  element.style.lineHeight = '0'
  element.append(characters)
  return element
}

/**
 * Returns the characters of a line by font. The hyphen or the truncation string has the font of what it follows.
 *
 * @param {Line} line
 * @param {Text} text
 */
function partsOf({ characters, start: first, end: last }, { text, runs }) {
  const parts = runs.map(({ start, end, font }) =>
    ({ characters: text.slice(Math.max(start, first), Math.min(end, last)), font }))
    .filter(({ characters }) => characters !== '')
  // A line can have nothing else.
  if (parts.length === 0 && runs.length > 0) parts.push({ characters: '', font: runs[runs.length - 1].font })
  if (parts.length > 0) parts[parts.length - 1].characters += characters.slice(last - first)
  return parts
}
