// Whether a list asks for its next rows: the rules of Texture's ASBatchFetching.

import { toleranceOf } from './axis.js'

/** @typedef {import('./axis.js').Axis} Axis */
/** @typedef {import('./query.js').CheckedQuery} CheckedQuery */

const MILLISECONDS_PER_SECOND = 1000

/**
 * Returns the members of a reply that state whether to fetch the next rows.
 *
 * @param {number} contentLength The length of the content along the axis of the list, in points.
 * @param {CheckedQuery} query
 * @param {Axis} axis
 */
export function batchFetching(contentLength, query, axis) {
  const { offset, viewport, leadingScreens, velocity } = query
  // The end of a list from right to left is at its left, from where offsets count.
  const remaining = axis === 'rightToLeft' ? offset : contentLength - viewport - offset
  const decision = decisionWithoutDistance(contentLength, query)
  const fetches = decision ?? remaining - toleranceOf(query) <= viewport * leadingScreens
  const time = remaining / (velocity * MILLISECONDS_PER_SECOND)
  const hasTime = decision === null && velocity > 0 && Number.isFinite(time)
  return { fetch_next_batch: fetches, remaining, ...(hasTime ? { remaining_time: time } : {}) }
}

/**
 * Returns the decision that does not depend on the remaining distance, or null if the distance decides. The order of the
 * rules matters.
 *
 * @param {number} contentLength
 * @param {CheckedQuery} query
 */
function decisionWithoutDistance(contentLength, query) {
  const { viewport, isForward, leadingScreens, fetching, hidden } = query
  if (fetching) return false
  if (leadingScreens <= 0 || viewport <= 0) return false
  if (contentLength < viewport - toleranceOf(query)) return true
  if (hidden) return false
  return isForward ? null : false
}
