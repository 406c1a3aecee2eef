// The page of `galley view`.

import { CellPage } from './cellpage.js'
import { nodeAt, rounded } from './cellview.js'
import { byId, make } from './elements.js'
import { grouped } from './format.js'
import { useFonts } from './fonts.js'
import { destination } from './jump.js'
import { listenToKeys, listKeys } from './keyboard.js'
import { fillChanges, fillHeights, fillPrefetch, fillProblems, fillReplay } from './listpages.js'
import { COLUMN_GAP, GUTTER, ListView, variantLabel } from './listview.js'
import { Panel } from './panel.js'
import { RangesView } from './ranges.js'
import { isAborted } from './server.js'
import { Session } from './session.js'
import { restoreTheme, switchTheme } from './theme.js'
import { watch } from './watching.js'

/** The time without scrolling after which the server is asked what would be loaded, in milliseconds. */
const PREFETCH_MILLISECONDS = 120
const MAX_CHOSEN_AT_START = 3

restoreTheme()
if (matchMedia('(max-width: 1000px)').matches) document.body.classList.add('without-panel')

const view = new ListView(byId('list'), byId('columns'))
const ranges = new RangesView(byId('ranges', HTMLCanvasElement))
const tag = byId('tag')
const banner = byId('banner')
const field = byId('destination', HTMLInputElement)

const session = new Session(view, { onModel: showModel, onError: report })
const cellPage = new CellPage((node) => selectNode(node))

// The panel

/** @type {import('./galley.js').Prefetch | null} */
let prefetched = null

/** @param {(element: HTMLElement, source: import('./listpages.js').Source, goTo: (row: number) => void) => void} fill */
function listPage(fill) {
  return (/** @type {HTMLElement} */ element) => {
    const { model } = session
    if (model === null) return
    fill(element, { server: model.server, variant: model.variants[0].name, list: model.list, viewport: view.viewport }, goTo)
  }
}

/** @param {import('./server.js').ListInfo | null} list */
function pagesFor(list) {
  const problems = Math.max(0, ...(list?.variants.map((variant) => variant.bad_rows) ?? []))
  return [
    { name: 'cell', title: 'Cell', fill: (/** @type {HTMLElement} */ element) => {
      delete element.dataset.filling
      cellPage.fill(element)
    } },
    { name: 'prefetch', title: 'Prefetch', fill: (/** @type {HTMLElement} */ element) => fillPrefetch(element, prefetched, session.model?.variants[0].name ?? '', goTo) },
    { name: 'heights', title: 'Heights', fill: listPage(fillHeights) },
    { name: 'problems', title: problems > 0 ? `Errors ${grouped(problems)}` : 'Errors', fill: listPage(fillProblems) },
    ...(list?.has_base ? [{ name: 'changes', title: 'Changes', fill: listPage(fillChanges) }] : []),
    ...(list?.has_replay ? [{ name: 'replay', title: 'Replay', fill: listPage(fillReplay) }] : []),
  ]
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
  showProblem(list.error)
  byId('variants').replaceChildren(...list.variants.map((variant) => {
    const isChosen = variants.includes(variant)
    const button = make('button', { type: 'button', 'aria-pressed': String(isChosen) }, variantLabel(variant))
    button.addEventListener('click', () => toggleVariant(variant.name))
    return button
  }))
  byId('variants').querySelector('[aria-pressed=true]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  byId('variants').hidden = list.variants.length < 2
  cellPage.server = model.server
  cellPage.hasTexts = list.has_texts
  panel.setPages(pagesFor(list))
  if (model.rowHeights.isComplete) refreshPanel(model)
}

/**
 * Fills the page of the panel that is open. At the start the list comes first.
 *
 * @param {import('./session.js').ServedModel} model
 */
function refreshPanel(model) {
  askForPrefetch()
  if (panel.current !== 'cell' || cellPage.selection === null) panel.refresh()
  else refreshSelection(model)
}

/**
 * Shows the selected cell of a new layout.
 *
 * @param {import('./session.js').ServedModel} model
 */
async function refreshSelection(model) {
  const selection = cellPage.selection
  const variant = model.variants.find(({ name }) => name === selection?.variant.name)
  if (selection === null || variant === undefined || selection.cell.row >= model.list.rows) return
  try {
    const { row } = selection.cell
    const [cell] = await model.server.cells(variant.name, row, row + 1)
    if (cellPage.selection !== selection || cell === undefined) return
    cellPage.selection = { cell, variant, node: selection.node < cell.nodes.length ? selection.node : -1 }
    panel.refresh()
  } catch (error) {
    report(error)
  }
}

/** @param {import('./server.js').ListInfo} list */
function variantsAtStart(list) {
  const asked = new URLSearchParams(location.hash.slice(1)).get('variants')?.split(',') ?? []
  if (asked.some((name) => list.variants.some((variant) => variant.name === name))) return asked
  let width = view.scroller.clientWidth
  if (view.isNarrow) {
    const widest = list.variants.reduce((best, variant) => (
      variant.width <= width && variant.width > best.width ? variant : best), { name: '', width: 0 })
    return [widest.name]
  }
  width -= 2 * GUTTER
  const names = []
  for (const variant of list.variants) {
    width -= variant.width + COLUMN_GAP
    if (names.length > 0 && (width < 0 || names.length >= MAX_CHOSEN_AT_START)) break
    names.push(variant.name)
  }
  return names
}

/** @param {string} name */
function toggleVariant(name) {
  const { model } = session
  if (model === null) return
  const chosen = model.variants.map((variant) => variant.name)
  const others = chosen.filter((other) => other !== name)
  const next = view.isNarrow ? [name] : others.length === chosen.length ? [...chosen, name] : others
  if (next.length > 0) session.choose(next).catch(report)
}

view.onDraw = () => {
  ranges.draw(view)
  const { heights } = view
  const { row } = view.anchor
  if (heights === null || session.model === null) return
  byId('status').textContent =
    `row ${grouped(row)} of ${grouped(session.model.list.rows)} · ${grouped(Math.round(view.offset))} pt`
  if (view.offset !== prefetchOffset && session.model.rowHeights.isComplete) askForPrefetch()
}

// What would be loaded

let prefetchOffset = -1
let prefetchTimer = 0
let prefetchRequest = new AbortController()

function askForPrefetch() {
  prefetchOffset = view.offset
  clearTimeout(prefetchTimer)
  prefetchTimer = window.setTimeout(async () => {
    const { model } = session
    if (model === null || view.viewport === 0) return
    keepPlace()
    prefetchRequest.abort()
    prefetchRequest = new AbortController()
    // Rows are taller than the cells of the first variant if another one has taller cells.
    const { row, inside } = view.anchor
    const [variant] = model.variants
    const cell = model.store.cell(variant.name, row)
    const offset = model.variants.length === 1 || cell === null ? view.offset : cell.y + Math.min(inside, cell.height)
    try {
      prefetched = await model.server.json(`/prefetch/${encodeURIComponent(variant.name)}`, {
        offset, viewport: view.viewport, direction: view.direction,
      }, prefetchRequest.signal)
      ranges.resources = prefetched?.resources ?? []
      ranges.draw(view)
      if (panel.current === 'prefetch') panel.refresh()
    } catch (error) {
      if (!isAborted(error)) report(error)
    }
  }, PREFETCH_MILLISECONDS)
}

/** Writes the row and the variants into the address, so that the page can be loaded again at the same place. */
function keepPlace() {
  const { model } = session
  if (model === null) return
  const place = `#row=${view.anchor.row}&variants=${model.variants.map(({ name }) => name).join(',')}`
  if (location.hash !== place) history.replaceState(null, '', place)
}

// Pointing and choosing

/** @type {Element | null} */
let hot = null

view.scroller.addEventListener('pointerover', (event) => {
  const place = nodeAt(event.target)
  const element = event.target instanceof Element ? event.target.closest('.node') : null
  if (element === hot) return
  hot?.classList.remove('hot')
  hot = element
  const node = place?.view.cell?.nodes[place.index]
  tag.hidden = node === undefined || event.pointerType === 'touch'
  if (element === null || node === undefined) return
  element.classList.add('hot')
  tag.replaceChildren(make('b', {}, node.name), make('span', {}, node.type),
    `${rounded(node.width)} × ${rounded(node.height)} at ${rounded(node.x)}, ${rounded(node.y)}`)
  const desk = byId('list').getBoundingClientRect()
  const box = element.getBoundingClientRect()
  const above = box.top - desk.top - tag.offsetHeight - 4
  const left = Math.min(Math.max(box.left - desk.left, 4), desk.width - tag.offsetWidth - 20)
  tag.style.transform = `translate(${left}px, ${above > 0 ? above : Math.max(box.bottom - desk.top, 0) + 4}px)`
})
view.scroller.addEventListener('pointerleave', () => hideTag())
view.scroller.addEventListener('scroll', () => hideTag(), { passive: true })

function hideTag() {
  tag.hidden = true
  hot?.classList.remove('hot')
  hot = null
}

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
  if (variant === undefined || cell === undefined || cell === null) return
  view.mark(row)
  cellPage.selection = { cell, variant, node }
  markNode()
  panel.open('cell')
}

/** @param {number} node */
function selectNode(node) {
  if (cellPage.selection === null) return
  cellPage.selection = { ...cellPage.selection, node }
  markNode()
  panel.refresh()
}

function markNode() {
  for (const element of document.querySelectorAll('.node.chosen')) element.classList.remove('chosen')
  const { selection } = cellPage
  if (selection === null || selection.node < 0) return
  const row = document.getElementById(`row-${selection.cell.row}`)
  for (const cell of row?.querySelectorAll('.cell') ?? []) {
    if (/** @type {HTMLElement} */ (cell).dataset.variant !== selection.variant.name) continue
    cell.querySelectorAll('.node')[selection.node]?.classList.add('chosen')
  }
}

/** @param {number} step */
function selectNext(step) {
  const { heights, selected, offset, viewport } = view
  if (heights === null || heights.length === 0) return
  const isVisible = selected >= 0 && selected < heights.length
    && heights.offsetOf(selected) < offset + viewport
    && heights.offsetOf(selected) + heights.heightOf(selected) > offset
  view.select(isVisible ? Math.min(Math.max(selected + step, 0), heights.length - 1) : view.anchor.row)
}

function openSelected() {
  const { model } = session
  if (model === null) return
  if (view.selected < 0) view.mark(view.anchor.row)
  openCell(view.selected, model.variants[0].name, -1)
}

// Going to a place

byId('jump').addEventListener('submit', async (event) => {
  event.preventDefault()
  const { model } = session
  const { heights } = view
  const place = model === null ? null : destination(field.value, model.list.rows)
  if (place === null || model === null || heights === null) return
  field.setCustomValidity('')
  try {
    if (place.kind === 'offset') view.goToOffset(place.offset)
    else if (place.kind === 'part') view.goToOffset(place.part * heights.size)
    else {
      const row = place.kind === 'row' ? place.row : await model.server.find(place.id)
      if (row === null) {
        field.setCustomValidity(`No row has the id ${field.value}`)
        field.reportValidity()
        return
      }
      goTo(row)
    }
    view.scroller.focus({ preventScroll: true })
  } catch (error) {
    report(error)
  }
})
field.addEventListener('input', () => field.setCustomValidity(''))

// Keys and buttons

function toggleFrames() {
  const isOn = document.body.classList.toggle('with-frames')
  byId('frames-button').setAttribute('aria-pressed', String(isOn))
}

function escape() {
  if (document.activeElement === field) view.scroller.focus({ preventScroll: true })
  else if (panel.isOpen) panel.close()
}

const help = byId('help', HTMLDialogElement)
const commands = [
  { keys: ['j'], shown: 'j', says: 'next row', run: () => selectNext(1) },
  { keys: ['k'], shown: 'k', says: 'previous row', run: () => selectNext(-1) },
  { keys: ['Enter'], shown: 'Enter', says: 'frames of the row', run: openSelected },
  { keys: ['g', 'Home'], shown: 'g Home', says: 'first row', run: () => view.goToOffset(0) },
  { keys: ['G', 'End'], shown: 'G End', says: 'last row', run: () => view.goToOffset(view.heights?.size ?? 0) },
  { keys: ['/'], shown: '/', says: 'jump to a row, id, @offset or 50%', run: () => field.select() },
  { keys: ['f'], shown: 'f', says: 'outline all frames', run: toggleFrames },
  { keys: ['p'], shown: 'p', says: 'side panel', run: () => panel.toggle() },
  { keys: ['t'], shown: 't', says: 'light or dark', run: switchTheme },
  { keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'], shown: '1 … 9', says: 'show or hide a variant', run: () => {} },
  { keys: ['Escape'], shown: 'Escape', says: 'leave the field, close the panel', run: escape },
  { keys: ['?'], shown: '?', says: 'this help', run: () => help.showModal() },
]
listKeys(byId('keys'), commands)
listenToKeys(commands)
document.addEventListener('keydown', ({ key, target, ctrlKey, metaKey, altKey }) => {
  if (ctrlKey || metaKey || altKey || target instanceof HTMLInputElement || !/^[1-9]$/.test(key)) return
  const variant = session.model?.list.variants[Number(key) - 1]
  if (variant !== undefined) toggleVariant(variant.name)
})
byId('frames-button').addEventListener('click', toggleFrames)
byId('panel-button').addEventListener('click', () => panel.toggle())
byId('theme-button').addEventListener('click', () => {
  switchTheme()
  view.schedule()
})
byId('help-button').addEventListener('click', () => help.showModal())
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => view.schedule())

// Errors

/** @param {import('./server.js').Problem | null} problem */
function showProblem(problem) {
  banner.hidden = problem === null
  if (problem === null) return
  const place = problem.line ? `line ${problem.line}${problem.column ? `, column ${problem.column}` : ''}` : ''
  banner.replaceChildren(make('b', {}, place === '' ? 'Error' : `Error in ${place}`), make('span', {}, problem.message))
}

/** @param {unknown} error */
function report(error) {
  showProblem({ message: error instanceof Error ? error.message : String(error) })
}

session.open(variantsAtStart, Number(new URLSearchParams(location.hash.slice(1)).get('row') ?? 0) || 0)
  .catch(report)
  .finally(() => {
    view.scroller.focus({ preventScroll: true })
    if (session.model !== null) refreshPanel(session.model)
    if (session.model?.list.watches !== true) return
    watch({
      onList: () => session.update().catch(report),
      onError: showProblem,
      onGood: () => showProblem(null),
      onConnection: (isConnected) => document.body.classList.toggle('disconnected', !isConnected),
    })
  })
