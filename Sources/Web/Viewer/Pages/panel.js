// The side panel: tabs with pages that are filled when they are shown. On a phone it is a sheet.

import { byId, make } from './elements.js'
import { replaceContent } from './focus.js'

/**
 * @typedef {object} Page
 * @property {string} name
 * @property {string} title
 * @property {(element: HTMLElement, signal: AbortSignal) => void} fill Fills the element when the page is shown. The signal is aborted when
 *   the element is filled anew.
 */

export class Panel {
  /** @param {Page[]} pages @param {string} first The page that is shown first. */
  constructor(pages, first) {
    this.element = byId('panel')
    this.body = byId('page')
    this.tabs = byId('tabs')
    /** @type {Page[]} */
    this.pages = []
    this.current = first
    /** The name of the page that the element has, or that is read for it. */
    this.filled = ''
    this.filling = new AbortController()
    this.setPages(pages)
    byId('close-panel').addEventListener('click', () => this.close())
    this.tabs.addEventListener('keydown', (event) => {
      const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
      if (step === 0) return
      event.preventDefault()
      const index = this.pages.findIndex(({ name }) => name === this.current)
      this.open(this.pages[(index + step + this.pages.length) % this.pages.length].name)
      const tab = this.tabs.querySelector('[aria-selected=true]')
      if (tab instanceof HTMLElement) tab.focus()
    })
  }

  /** @param {Page[]} pages */
  setPages(pages) {
    this.pages = pages
    if (!pages.some(({ name }) => name === this.current)) this.current = pages[0].name
    replaceContent(this.tabs, ...pages.map(({ name, title }) => {
      const tab = make('button', { type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': 'page' }, title)
      tab.addEventListener('click', () => this.open(name))
      return tab
    }))
    this.#mark()
  }

  get isOpen() {
    return !document.body.classList.contains('without-panel')
  }

  /** @param {string} name */
  open(name) {
    this.current = name
    document.body.classList.remove('without-panel')
    this.#mark()
    this.refresh()
  }

  close() {
    this.filling.abort()
    this.filled = ''
    document.body.classList.add('without-panel')
    byId('panel-button').setAttribute('aria-pressed', 'false')
    byId('list').focus({ preventScroll: true })
  }

  toggle() {
    if (this.isOpen) this.close()
    else this.open(this.current)
  }

  /** Fills the page that is shown again. */
  refresh() {
    if (!this.isOpen) return
    this.filling.abort()
    this.filling = new AbortController()
    if (this.filled !== this.current) replaceContent(this.body, make('p', { class: 'hint' }, 'Reading …'))
    this.filled = this.current
    this.pages.find(({ name }) => name === this.current)?.fill(this.body, this.filling.signal)
  }

  #mark() {
    for (const tab of this.tabs.children) {
      const isCurrent = tab.id === `tab-${this.current}`
      tab.setAttribute('aria-selected', String(isCurrent))
      tab.setAttribute('tabindex', isCurrent ? '0' : '-1')
    }
    this.body.setAttribute('aria-labelledby', `tab-${this.current}`)
    byId('panel-button').setAttribute('aria-pressed', String(this.isOpen))
  }
}
