// The banner with what is wrong.

import { byId, make } from './elements.js'
import { isAborted, OldRevision } from './server.js'

/** @typedef {import('./server.js').Problem} Problem */

/**
 * What is wrong in the page, and in the files of the list. The first is shown.
 *
 * @type {{ page: Problem | null, files: Problem | null }}
 */
const problems = { page: null, files: null }

/**
 * Shows a problem, or that there is none of its kind.
 *
 * @param {keyof typeof problems} kind
 * @param {Problem | null} problem
 */
export function showProblem(kind, problem) {
  problems[kind] = problem
  const shown = problems.page ?? problems.files
  const banner = byId('banner')
  banner.hidden = shown === null
  if (shown === null) return
  const place = shown.line ? ` in line ${shown.line}${shown.column ? `, column ${shown.column}` : ''}` : ''
  banner.replaceChildren(make('b', {}, `Error${place}`), make('span', {}, shown.message))
}

/** @param {unknown} error */
export function report(error) {
  // The session shows the new layout. What was aborted is not needed any more.
  if (error instanceof OldRevision || isAborted(error)) return
  showProblem('page', { message: error instanceof Error ? error.message : String(error) })
}
