// The banner with what is wrong.

import { byId, make } from './elements.js'
import { isAborted, OldRevision } from './server.js'

/** @typedef {import('./server.js').Problem} Problem */

/**
 * What is wrong: the server is not reached, the files of the list have an error, or the page has failed. The first is shown. A
 * failure of the page is known until another layout is shown, and must not hide a mistake that is made meanwhile.
 *
 * @type {{ connection: Problem | null, files: Problem | null, page: Problem | null }}
 */
const problems = { connection: null, files: null, page: null }

/**
 * Shows a problem, or that there is none of its kind.
 *
 * @param {keyof typeof problems} kind
 * @param {Problem | null} problem
 */
export function showProblem(kind, problem) {
  problems[kind] = problem
  const shown = problems.connection ?? problems.files ?? problems.page
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
