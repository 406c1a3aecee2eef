// The banner with what is wrong.

import { byId, make } from './elements.js'
import { isAborted, OldRevision } from './server.js'

/**
 * Shows a problem, or none.
 *
 * @param {import('./server.js').Problem | null} problem
 */
export function showProblem(problem) {
  const banner = byId('banner')
  banner.hidden = problem === null
  if (problem === null) return
  const place = problem.line ? `line ${problem.line}${problem.column ? `, column ${problem.column}` : ''}` : ''
  banner.replaceChildren(make('b', {}, place === '' ? 'Error' : `Error in ${place}`), make('span', {}, problem.message))
}

/** @param {unknown} error */
export function report(error) {
  // The session shows the new layout. What was aborted is not needed any more.
  if (error instanceof OldRevision || isAborted(error)) return
  showProblem({ message: error instanceof Error ? error.message : String(error) })
}
