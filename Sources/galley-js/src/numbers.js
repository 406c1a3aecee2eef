// Arrays of numbers.

/** @param {Float64Array} numbers */
export function sum(numbers) {
  let total = 0
  for (let index = 0; index < numbers.length; index += 1) total += numbers[index]
  return total
}

/**
 * @template {Float64Array | Int32Array} Numbers
 * @param {new (length: number) => Numbers} type
 * @param {...Numbers} parts
 * @returns {Numbers}
 */
export function concatenated(type, ...parts) {
  const result = new type(parts.reduce((length, part) => length + part.length, 0))
  let end = 0
  for (const part of parts) {
    result.set(part, end)
    end += part.length
  }
  return result
}

/**
 * Returns the index of the last of the first `count` numbers that is not greater than a value. The numbers ascend, and
 * the first is not greater.
 *
 * @param {Float64Array} numbers
 * @param {number} count
 * @param {number} value
 */
export function lastAtMost(numbers, count, value) {
  let low = 0
  let high = count
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (numbers[middle] <= value) low = middle
    else high = middle
  }
  return low
}

/**
 * Returns the greatest number that is less than a positive one.
 *
 * @param {number} number
 */
export function justBelow(number) {
  return number * (1 - Number.EPSILON / 2)
}
