// The links, mentions and attachments of texts.

/** @typedef {import('./lines.js').Span} Span */
/** @typedef {import('./lines.js').Text} Text */

/**
 * Returns the link, mention or attachment at a point of a text, such as the one that was tapped; null if there is none.
 *
 * @param {Text} text
 * @param {number} x The distance from the left side of the text's frame, in points.
 * @param {number} y The distance from its top.
 * @returns {Span | null}
 */
export function spanAt({ spans }, x, y) {
  return spans.find((span) => x >= span.x && x < span.x + span.width && y >= span.y && y < span.y + span.height) ?? null
}

/** The character of the text that stands for an attachment (U+FFFC). */
const ATTACHMENT = '\uFFFC'

/**
 * Returns whether a span is an attachment, whose `url` is the address of what it shows.
 *
 * @param {Text} text
 * @param {Span} span
 */
export function isAttachment({ text }, { start, end }) {
  return text.slice(start, end) === ATTACHMENT
}
