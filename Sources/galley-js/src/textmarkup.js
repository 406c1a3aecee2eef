// The description of the lines of a text.

import { justifiedLines } from './justification.js'
import { isLink } from './links.js'
import { markup } from './markup.js'
import { isAttachment } from './spans.js'

/** @typedef {import('./lines.js').Line} Line */
/** @typedef {import('./lines.js').Span} Span */
/** @typedef {import('./lines.js').Text} Text */
/** @typedef {import('./markup.js').Markup} Markup */

/**
 * A part of a line.
 *
 * @typedef {object} Part
 * @property {string} characters
 * @property {string} font
 * @property {Span | null} span The link, mention or attachment that it is.
 */

/**
 * Returns an element for each line of a text.
 *
 * @param {Text} text
 * @param {boolean} isInLink Whether the text is in a link, in which there cannot be others.
 */
export function textMarkup(text, isInLink) {
  const { pointSizeScaleFactor: factor } = text
  const justified = justifiedLines(text)
  return text.lines.map((line, number) => {
    const parts = partsOf(line, number, text)
    const elements = parts.map((part) => part.span !== null && isAttachment(text, part.span)
      ? attachmentMarkup(part.span, line) : partMarkup(part, factor, isInLink))
    const hasTabs = line.characters.includes('\t')
    // The tab stops of all lines are those of the text's first font.
    const font = hasTabs ? text.runs[0]?.font : parts[0]?.font
    // A line with one font and no links needs no other element, unless it has tab stops of another size.
    const isPlain = parts.length === 1 && parts[0].span === null && parts[0].font === font && (!hasTabs || factor === 1)
    const children = [strutMarkup(line), ...(isPlain ? elements[0].children : elements)]
    // Tab stops are those of the font of a block.
    return lineMarkup(line, justified.has(line), font, hasTabs ? scaled('div', children, factor) : children)
  })
}

/**
 * Returns an element at the place of a line. It cannot wrap, and its glyphs have no height of their own.
 *
 * @param {Line} line
 * @param {boolean} isJustified
 * @param {string | undefined} font
 * @param {(Markup | string)[]} children
 */
function lineMarkup({ x, y, width, height, rightToLeft }, isJustified, font, children) {
  /** @type {Record<string, string>} */
  const attributes = { dir: rightToLeft ? 'rtl' : 'ltr' }
  if (font !== undefined) attributes.class = classOf(font)
  const style = `position:absolute;white-space:pre;line-height:0;left:${x}px;top:${y}px;height:${height}px`
  const stretch = isJustified ? `;min-width:${width}px;text-align-last:justify;text-justify:inter-word` : ''
  return markup('div', attributes, style + stretch, children)
}

/**
 * Returns a strut with the height of a line above and below its baseline, which is that of the table whatever its fonts are.
 *
 * @param {Line} line
 */
function strutMarkup({ y, height, baseline }) {
  return markup('span', {}, `display:inline-block;height:${height}px;vertical-align:${baseline - y - height}px`)
}

/**
 * Returns an element for a part of a line that is text.
 *
 * @param {Part} part
 * @param {number} factor The factor of the size of its font.
 * @param {boolean} isInLink
 */
function partMarkup({ characters, font, span }, factor, isInLink) {
  /** @type {Record<string, string>} */
  const attributes = { class: classOf(font) }
  if (span !== null && span.kind !== '') attributes['data-kind'] = span.kind
  const leads = span !== null && span.url !== '' && !isInLink && isLink(span.url)
  if (leads) attributes.href = span.url
  // The class of a font states a line height, which must not move the line.
  return markup(leads ? 'a' : 'span', attributes, 'line-height:0', characters === '' ? [] : scaled('span', [characters], factor))
}

/**
 * Returns the class that `galley css` writes for a font: white space in its name (Unicode's White_Space) would end the class.
 *
 * @param {string} font
 */
function classOf(font) {
  // Of the characters of `\s`, U+FEFF is no white space, and U+0085 is missing.
  return font.replace(/\r\n|(?!\uFEFF)[\s\u0085]/g, '-')
}

/**
 * Returns children in a font whose size is multiplied and rounded to whole pixels. The class of the font is that of the element
 * around them.
 *
 * @param {string} name The name of the element that has the size.
 * @param {(Markup | string)[]} children
 * @param {number} factor
 */
function scaled(name, children, factor) {
  if (factor === 1) return children
  // Halves are rounded up, also where the product of floats is a little less, but for a factor that is less with 32 bits.
  const half = Math.fround(factor) < factor ? '-' : '+'
  return [markup(name, {}, `font-size:round(${factor}em ${half} 0.00001px,1px)`, children)]
}

/**
 * Returns the image of an attachment, or an empty box if it has no address. It has its rectangle in the flow of the line, so that
 * what follows is at its place in both directions.
 *
 * @param {Span} span
 * @param {Line} line
 */
function attachmentMarkup({ y, width, height, url, kind }, { baseline }) {
  /** @type {Record<string, string>} */
  const attributes = kind === '' ? {} : { 'data-kind': kind }
  const style = `display:inline-block;width:${width}px;height:${height}px;vertical-align:${baseline - y - height}px`
  if (url === '') return markup('span', attributes, style)
  return markup('img', { ...attributes, alt: '', decoding: 'async', src: url }, `${style};max-width:none;object-fit:contain`)
}

/**
 * Returns the parts of a line: where the font changes, and where links, mentions and attachments begin and end. A hyphen has the
 * font of what it follows, the truncation string that of the last run of the text.
 *
 * @param {Line} line
 * @param {number} number
 * @param {Text} text
 * @returns {Part[]}
 */
function partsOf({ characters, start: first, end: last, hyphen }, number, { text, runs, spans }) {
  const own = spans.filter(({ line }) => line === number)
  const offsets = [first, last, ...[...runs, ...own].flatMap(({ start, end }) => [start, end])]
    .filter((offset) => offset >= first && offset <= last).sort((one, other) => one - other)
  /** @type {Part[]} */
  const parts = []
  offsets.forEach((start, index) => {
    const end = offsets[index + 1] ?? start
    if (end === start) return
    parts.push({
      characters: text.slice(start, end),
      font: runs.find((run) => start >= run.start && start < run.end)?.font ?? '',
      span: own.find((span) => start >= span.start && end <= span.end) ?? null,
    })
  })
  const added = characters.slice(last - first)
  const previous = parts.at(-1)
  if (added === '' && previous !== undefined) return parts
  const font = hyphen ? previous?.font : runs.at(-1)?.font
  if (previous !== undefined && previous.span === null && previous.font === font) previous.characters += added
  // A line can have nothing else.
  else if (font !== undefined) parts.push({ characters: added, font, span: null })
  return parts
}
