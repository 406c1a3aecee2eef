// Where a text of the search field leads: a row, an offset, or an id.

/**
 * @typedef {{ kind: 'row', row: number } | { kind: 'offset', offset: number } | { kind: 'part', part: number }
 *   | { kind: 'id', id: string }} Destination
 */

/**
 * Returns the destination that a text describes, or null if it is empty.
 *
 * `12` is a row if the list has it, else an id; `@8000` or `8000pt` an offset in points; `50%` a part of the list;
 * `id:12` an id, and so is everything else. Only after `id:` do spaces at the ends belong to the id.
 *
 * @param {string} text
 * @param {number} rows
 * @returns {Destination | null}
 */
export function destination(text, rows) {
  const trimmed = text.trim()
  if (trimmed === '') return null
  if (trimmed.startsWith('id:')) return { kind: 'id', id: text.trimStart().slice('id:'.length) }
  const row = /^#?(\d{1,3}(?:[,_ ]?\d{3})*|\d+)$/.exec(trimmed)
  if (row !== null) {
    const number = Number(row[1].replace(/[,_ ]/g, ''))
    return number < rows ? { kind: 'row', row: number } : { kind: 'id', id: trimmed }
  }
  const offset = /^@\s*(\d+(?:\.\d+)?)$/.exec(trimmed) ?? /^(\d+(?:\.\d+)?)\s*(?:pt|px)$/.exec(trimmed)
  if (offset !== null) return { kind: 'offset', offset: Number(offset[1]) }
  const part = /^(\d+(?:\.\d+)?)\s*%$/.exec(trimmed)
  if (part !== null) return { kind: 'part', part: Math.min(Number(part[1]) / 100, 1) }
  return { kind: 'id', id: trimmed }
}
