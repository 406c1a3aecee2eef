// Texts for numbers.

const groups = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/**
 * Returns a number with groups of digits, such as 12,345.
 *
 * @param {number} value
 */
export const grouped = (value) => groups.format(value)

/**
 * Returns a number with three significant digits and a prefix, such as 12.3 k.
 *
 * @param {number} value
 */
export function short(value) {
  const prefixes = ['', 'k', 'M', 'G', 'T', 'P']
  let index = 0
  while (Math.abs(value) >= 999.5 && index < prefixes.length - 1) {
    value /= 1000
    index += 1
  }
  return `${significant(value)}${index ? ' ' : ''}${prefixes[index]}`
}

/**
 * Returns a number of bytes, such as 12.3 MiB.
 *
 * @param {number} value
 */
export function bytes(value) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']
  let index = 0
  while (value >= 1023.5 && index < units.length - 1) {
    value /= 1024
    index += 1
  }
  return `${significant(value)} ${units[index]}`
}

/**
 * Returns a duration in seconds as a measured time, such as 12.3 ms.
 *
 * @param {number} seconds
 */
export function time(seconds) {
  if (seconds === 0) return '0 ms'
  if (seconds < 0.0009995) return `${significant(seconds * 1e6)} µs`
  if (seconds < 0.9995) return `${significant(seconds * 1e3)} ms`
  return `${significant(seconds)} s`
}

/**
 * Returns a number of seconds as an age, such as 3 min.
 *
 * @param {number} seconds
 */
export function age(seconds) {
  if (seconds < 100) return `${Math.round(seconds)} s`
  if (seconds < 6000) return `${Math.round(seconds / 60)} min`
  if (seconds < 172800) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86400)} d`
}

/**
 * Returns a count and its noun, such as 1 worker.
 *
 * @param {number} value
 * @param {string} noun
 */
export const counted = (value, noun, plural = `${noun}s`) => `${grouped(value)} ${value === 1 ? noun : plural}`

/** @param {number} value */
function significant(value) {
  const size = Math.abs(value)
  return value.toFixed(Number.isInteger(value) || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2)
}
