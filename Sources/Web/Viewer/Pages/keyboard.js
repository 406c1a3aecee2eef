// The keys of the page.

import { make } from './elements.js'

/** @typedef {{ keys: string[], shown: string, says: string, run: (key: string) => void }} Command */

/**
 * Runs the commands of keys that are pressed outside of fields.
 *
 * @param {Command[]} commands
 */
export function listenToKeys(commands) {
  // The list has the focus from the start, but the ring around it is for those who use the keyboard.
  document.addEventListener('keydown', () => { document.documentElement.dataset.input = 'keyboard' }, true)
  document.addEventListener('pointerdown', () => { document.documentElement.dataset.input = 'pointer' }, true)
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    // The browser closes a dialog with Escape, and what is behind it must not change meanwhile.
    if (document.querySelector('dialog[open]') !== null) return
    const { target } = event
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
    if (isField && event.key !== 'Escape') return
    // A button and a tab have their own use for these keys.
    const isControl = target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement
    if (isControl && (event.key === 'Enter' || event.key === ' ')) return
    const command = commands.find(({ keys }) => keys.includes(event.key))
    if (command === undefined) return
    event.preventDefault()
    command.run(event.key)
  })
}

/**
 * Lists the keys.
 *
 * @param {HTMLElement} list
 * @param {Command[]} commands
 */
export function listKeys(list, commands) {
  list.replaceChildren(...commands.flatMap(({ shown, says }) => [
    make('dt', {}, ...shown.split(' ').map((key) => make('kbd', {}, key))), make('dd', {}, says),
  ]))
}
