// Lines that are as wide as the room of their text.

/** @typedef {import('./lines.js').Line} Line */
/** @typedef {import('./lines.js').Text} Text */

/** The most points by which the ends of justified lines differ: some platforms let a line be wider than its room. */
const TOLERANCE = 1

/**
 * Returns the lines whose spaces and tabs are wider, so that all of one direction end at the same place. The tables have the width of each
 * line, not the alignment of the text: lines that happen to end at one place are returned too, and already have that width.
 *
 * @param {Text} text
 * @returns {Set<Line>}
 */
export function justifiedLines({ text, lines }) {
  const continued = lines.filter((line, index) => !line.ellipsis && isContinued(text, lines[index + 1]))
  /** @param {Line} line @param {RegExp} space */
  const has = ({ start, end }, space) => space.test(text.slice(start, end))
  return new Set([true, false].flatMap((direction) => {
    const own = continued.filter((line) => line.rightToLeft === direction && has(line, /[ \u00A0\t]/))
    // Some platforms make only spaces wider: a line without them may end elsewhere than the others.
    const spaced = own.filter((line) => has(line, /[ \u00A0]/))
    /** @param {Line} line */
    const endOf = ({ x, width }) => direction ? -x : x + width
    const end = Math.max(...(spaced.length > 0 ? spaced : own).map(endOf))
    const stretched = own.filter((line) => Math.abs(end - endOf(line)) <= TOLERANCE)
    return spaced.every((line) => stretched.includes(line)) ? stretched : []
  }))
}

/**
 * Returns whether the line before another one is in the same paragraph.
 *
 * @param {string} text
 * @param {Line | undefined} next
 */
function isContinued(text, next) {
  return next !== undefined && next.start > 0 && text[next.start - 1] !== '\n'
}
