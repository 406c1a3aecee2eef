// Whether a list asks for its next rows: the rules of Texture's ASBatchFetching.

/** @typedef {import('./query.js').CheckedQuery} CheckedQuery */

const MILLISECONDS_PER_SECOND = 1000

/**
 * Returns the members of a reply that state whether to fetch the next rows.
 *
 * @param {number} contentHeight The height of the content, in points.
 * @param {CheckedQuery} query
 */
export function batchFetching(contentHeight, query) {
  const { offset, viewport, leadingScreens, velocity } = query
  const remaining = contentHeight - viewport - offset
  const decision = decisionWithoutDistance(contentHeight, query)
  const fetches = decision ?? remaining <= viewport * leadingScreens
  const time = remaining / (velocity * MILLISECONDS_PER_SECOND)
  const hasTime = decision === null && velocity > 0 && Number.isFinite(time)
  return { fetch_next_batch: fetches, remaining, ...(hasTime ? { remaining_time: time } : {}) }
}

/**
 * Returns the decision that does not depend on the remaining distance, or null if the distance decides. The order of the
 * rules matters.
 *
 * @param {number} contentHeight
 * @param {CheckedQuery} query
 */
function decisionWithoutDistance(contentHeight, { viewport, isDown, leadingScreens, fetching, hidden }) {
  if (fetching) return false
  if (leadingScreens <= 0 || viewport <= 0) return false
  if (contentHeight < viewport) return true
  if (hidden) return false
  return isDown ? null : false
}
