// The page of `galley view`.

import { placeOfAddress } from './address.js'
import { report, showProblem } from './banner.js'
import { CellPage } from './cellpage.js'
import { nodeAt } from './cellview.js'
import { fitting, variantLabel } from './columns.js'
import { byId, make } from './elements.js'
import { replaceContent } from './focus.js'
import { useFonts } from './fonts.js'
import { grouped } from './format.js'
import { JumpField } from './jump.js'
import { listenToKeys, listKeys } from './keyboard.js'
import { fillChanges, fillHeights, fillPrefetch, fillProblems, fillReplay } from './listpages.js'
import { ListView } from './listview.js'
import { followPointer, markNode } from './marks.js'
import { Panel } from './panel.js'
import { Prefetching } from './prefetching.js'
import { RangesView } from './ranges.js'
import { neighbour } from './rowsbyneed.js'
import { connection } from './server.js'
import { Session } from './session.js'
import { restoreTheme, switchTheme } from './theme.js'
import { watch } from './watching.js'

restoreTheme()
if (matchMedia('(max-width: 1000px)').matches) document.body.classList.add('without-panel')

const view = new ListView(byId('list'), byId('columns'))
const ranges = new RangesView(byId('ranges', HTMLCanvasElement))
const field = byId('destination', HTMLInputElement)

const session = new Session(view, { onList: ({ error }) => showProblem('files', error), onModel: showModel, onError: report })
const cellPage = new CellPage((node) => selectNode(node))
const prefetching = new Prefetching(view, session, { onReply: showPrefetch, onError: report })

connection.onChange = (error) => showProblem('connection', error
  && { message: `The server does not reply, and is asked again every second: ${error.message}` })

// The panel

/** @param {(element: HTMLElement, source: import('./listpages.js').Source, goTo: (row: number) => void) => void} fill */
function listPage(fill) {
  return (/** @type {HTMLElement} */ element, /** @type {AbortSignal} */ signal) => {
    const { model } = session
    if (model === null) return
    fill(element, { server: model.server, variant: model.variants[0].name, list: model.list, viewport: view.viewport, signal }, goTo)
  }
}

/** @param {import('./server.js').ListInfo | null} list */
function pagesFor(list) {
  const problems = Math.max(0, ...(list?.variants.map((variant) => variant.bad_rows) ?? []))
  return [
    { name: 'cell', title: 'Cell', fill: cellPage.fill.bind(cellPage) },
    { name: 'prefetch', title: 'Prefetch', fill: showRanges },
    { name: 'heights', title: 'Heights', fill: listPage(fillHeights) },
    { name: 'problems', title: problems > 0 ? `Errors ${grouped(problems)}` : 'Errors', fill: listPage(fillProblems) },
    ...(list?.has_base ? [{ name: 'changes', title: 'Changes', fill: listPage(fillChanges) }] : []),
    ...(list?.has_replay ? [{ name: 'replay', title: 'Replay', fill: listPage(fillReplay) }] : []),
  ]
}

/** @param {HTMLElement} element */
function showRanges(element) {
  const name = session.model?.variants[0].name ?? ''
  fillPrefetch(element, prefetching.replyAbout(name), name, goTo)
}

const panel = new Panel(pagesFor(null), 'heights')

/** @param {number} row */
function goTo(row) {
  view.goToRow(row)
  view.mark(row)
  if (matchMedia('(max-width: 700px)').matches) panel.close()
}

// The list

/** @param {import('./session.js').ServedModel} model */
function showModel(model) {
  const { list, variants } = model
  const title = list.title.replace(/\/+$/, '').split('/').pop() ?? list.title
  document.title = `${title} – galley view`
  byId('title').textContent = title
  byId('title').title = list.title
  byId('summary').textContent = list.rows === 1 ? '1 row' : `${grouped(list.rows)} rows`
  useFonts(list)
  showProblem('page', null)
  replaceContent(byId('variants'), ...list.variants.map((variant) => {
    const isChosen = variants.includes(variant)
    const button = make('button', { type: 'button', value: variant.name, 'aria-pressed': String(isChosen) }, variantLabel(variant))
    button.addEventListener('click', () => toggleVariant(variant.name))
    return button
  }))
  byId('variants').querySelector('[aria-pressed=true]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  byId('variants').hidden = list.variants.length < 2
  cellPage.hasTexts = list.has_texts
  panel.setPages(pagesFor(list))
  jumpField.modelChanged()
  if (model.rowHeights.isComplete) refreshPanel(model)
}

/**
 * Fills the page of the panel that is open. At the start the list comes first.
 *
 * @param {import('./session.js').ServedModel} model
 */
function refreshPanel(model) {
  prefetching.ask()
  if (panel.current !== 'cell' || cellPage.selection === null) panel.refresh()
  cellPage.follow(model).then((hasChanged) => {
    if (!hasChanged) return
    if (panel.current === 'cell') panel.refresh()
    view.schedule()
  }).catch(report)
}

/** @param {import('./server.js').ListInfo} list */
function variantsAtStart(list) {
  const asked = placeOfAddress().variants
  if (asked.some((name) => list.variants.some((variant) => variant.name === name))) return asked
  return fitting(list.variants, view.scroller.clientWidth, view.isNarrow)
}

/** @param {string} name */
function toggleVariant(name) {
  const { names } = session
  const others = names.filter((other) => other !== name)
  const next = view.isNarrow ? [name] : others.length === names.length ? [...names, name] : others
  if (next.length > 0) session.choose(next).catch(report)
}

/** @param {string} key */
function toggleNumber(key) {
  const variant = session.model?.list.variants[Number(key) - 1]
  if (variant !== undefined) toggleVariant(variant.name)
}

view.onDraw = () => {
  // The elements of a node are other ones when its row is drawn again.
  markNode(shownSelection())
  ranges.resources = prefetching.replyAbout(session.model?.variants[0].name)?.resources ?? []
  ranges.draw(view)
  const { heights } = view
  const { row } = view.anchor
  if (heights === null || session.model === null) return
  const { list: { rows }, rowHeights: { isComplete } } = session.model
  const place = isComplete || view.offset < heights.size ? `row ${grouped(row)} of ${grouped(rows)}` : 'reading the heights'
  byId('status').textContent = rows === 0 ? 'no rows' : `${place} · ${grouped(Math.round(view.offset))} pt`
  if (isComplete) prefetching.follow()
}

function showPrefetch() {
  view.schedule()
  if (panel.current === 'prefetch') panel.refresh()
}

// Pointing and choosing

followPointer(view.scroller)
view.scroller.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target.closest('.cell') : null
  if (target === null) return
  const place = nodeAt(event.target)
  const row = Number(target.parentElement?.dataset.row)
  const name = /** @type {HTMLElement} */ (target).dataset.variant ?? ''
  openCell(row, name, place?.index ?? -1)
})

/**
 * @param {number} row
 * @param {string} name The name of the variant.
 * @param {number} node
 */
function openCell(row, name, node) {
  const { model } = session
  const variant = model?.variants.find((other) => other.name === name)
  const cell = model?.store.cell(name, row)
  if (model === null || variant === undefined || cell === undefined || cell === null) return
  view.mark(row)
  cellPage.selection = { cell, variant, node, server: model.server }
  markNode(shownSelection())
  panel.open('cell')
}

/** Returns the selection, or null while it is that of an earlier layout, whose rows are not those of the list. */
function shownSelection() {
  return cellPage.selection?.server.revision === session.model?.server.revision ? cellPage.selection : null
}

/** @param {number} node */
function selectNode(node) {
  if (cellPage.selection === null) return
  cellPage.selection = { ...cellPage.selection, node }
  markNode(shownSelection())
  panel.refresh()
}

/** @param {'next' | 'previous'} side */
function selectBeside(side) {
  const { heights, selected, offset, viewport } = view
  if (heights === null || heights.length === 0) return
  const isVisible = selected >= 0 && selected < heights.length
    && heights.offsetOf(selected) <= offset + viewport && heights.offsetOf(selected + 1) >= offset
  view.select(isVisible ? neighbour(heights, selected, side) : view.anchor.row)
}

function openSelected() {
  const { model } = session
  if (model === null) return
  if (view.selected < 0) view.mark(view.anchor.row)
  openCell(view.selected, model.variants[0].name, -1)
}

// Going to a place

const jumpField = new JumpField(byId('jump'), field, session, {
  goTo: (place) => {
    if (place.kind === 'row') goTo(place.row)
    else if (place.kind === 'offset') view.goToOffset(place.offset)
    else view.goToPart(place.part)
    // A row that is found late takes no focus from what one uses then.
    if (document.activeElement === field) view.scroller.focus({ preventScroll: true })
  },
  onError: report,
})

// The fragment is that of the place, and not of the list.
document.querySelector('.skip')?.addEventListener('click', (event) => {
  event.preventDefault()
  view.scroller.focus({ preventScroll: true })
})
addEventListener('hashchange', () => {
  const { model } = session
  if (model === null) return
  const { row, variants } = placeOfAddress()
  const names = model.list.variants.map(({ name }) => name).filter((name) => variants.includes(name))
  if (names.length > 0 && names.join() !== session.names.join()) session.choose(names).catch(report)
  view.goToRow(Math.min(row, Math.max(model.list.rows - 1, 0)))
})

// Keys and buttons

function toggleFrames() {
  const isOn = document.body.classList.toggle('with-frames')
  byId('frames-button').setAttribute('aria-pressed', String(isOn))
}

function changeTheme() {
  switchTheme()
  view.schedule()
}

function escape() {
  if (document.activeElement === field) {
    jumpField.cancel()
    view.scroller.focus({ preventScroll: true })
  } else if (panel.isOpen) panel.close()
}

const help = byId('help', HTMLDialogElement)
const commands = [
  { keys: ['j'], shown: 'j', says: 'next row', run: () => selectBeside('next') },
  { keys: ['k'], shown: 'k', says: 'previous row', run: () => selectBeside('previous') },
  { keys: ['Enter'], shown: 'Enter', says: 'frames of the row', run: openSelected },
  { keys: ['g', 'Home'], shown: 'g Home', says: 'first row', run: () => view.goToOffset(0) },
  { keys: ['G', 'End'], shown: 'G End', says: 'last row', run: () => view.goToPart(1) },
  { keys: ['/'], shown: '/', says: 'jump to a row, id, @offset or 50%', run: () => field.select() },
  { keys: ['f'], shown: 'f', says: 'outline all frames', run: toggleFrames },
  { keys: ['p'], shown: 'p', says: 'side panel', run: () => panel.toggle() },
  { keys: ['t'], shown: 't', says: 'light or dark', run: changeTheme },
  { keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'], shown: '1 … 9', says: 'show or hide a variant', run: toggleNumber },
  { keys: ['Escape'], shown: 'Escape', says: 'leave the field, close the panel', run: escape },
  { keys: ['?'], shown: '?', says: 'this help', run: () => help.showModal() },
]
listKeys(byId('keys'), commands)
listenToKeys(commands)
byId('frames-button').addEventListener('click', toggleFrames)
byId('panel-button').addEventListener('click', () => panel.toggle())
byId('theme-button').addEventListener('click', changeTheme)
byId('help-button').addEventListener('click', () => help.showModal())
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => view.schedule())

// Not when the heights are there: who goes to a row meanwhile is typing in the field.
view.scroller.focus({ preventScroll: true })
session.open(variantsAtStart, placeOfAddress().row)
  .catch(report)
  .finally(() => {
    if (session.model !== null) refreshPanel(session.model)
    if (session.model?.list.watches !== true) return
    watch({
      onChange: () => session.update().catch(report),
      onConnection: (isConnected) => document.body.classList.toggle('disconnected', !isConnected),
    })
  })
