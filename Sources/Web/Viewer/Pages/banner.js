// The banner with what is wrong.

import { byId, make } from './elements.js'
import { isAborted, OldRevision } from './server.js'

/** @typedef {import('./server.js').Problem} Problem */

/**
 * What is wrong: the server is not reached, the page has failed, or the files of the list have an error. The first is shown.
 *
 * @type {{ connection: Problem | null, page: Problem | null, files: Problem | null }}
 */
const problems = { connection: null, page: null, files: null }

/**
 * Shows a problem, or that there is none of its kind.
 *
 * @param {keyof typeof problems} kind
 * @param {Problem | null} problem
 */
export function showProblem(kind, problem) {
  problems[kind] = problem
  const shown = problems.connection ?? problems.page ?? problems.files
  const banner = byId('banner')
  banner.hidden = shown === null
  if (shown === null) return
  const place = shown.line ? ` in line ${shown.line}${shown.column ? `, column ${shown.column}` : ''}` : ''
  const parts = [make('b', {}, `Error${place}`), make('span', {}, shown.message)]
  // Screen readers announce what is replaced, also by the same text.
  if (banner.textContent !== parts.map(({ textContent }) => textContent).join('')) banner.replaceChildren(...parts)
}

/** @param {unknown} error */
export function report(error) {
  // The session shows the new layout. What was aborted is not needed any more.
  if (error instanceof OldRevision || isAborted(error)) return
  showProblem('page', { message: error instanceof Error ? error.message : String(error) })
}
