// The pages of the panel about the whole list: prefetching, heights, problems, changes and a simulated scroll.

import { histogram, scrollPlot } from './charts.js'
import { rounded } from './cellview.js'
import { make } from './elements.js'
import { replaceContent } from './focus.js'
import { counted, grouped } from './format.js'
import { OldRevision } from './server.js'

/** The greatest number of rows that a page lists. More would be neither read nor drawn quickly. */
const MAX_LISTED = 100

/**
 * @typedef {{ server: import('./server.js').Server, variant: string, list: import('./server.js').ListInfo,
 *   viewport: number, signal: AbortSignal }} Source
 */

/**
 * Returns a list of rows that leads to them.
 *
 * @param {{ row: number, title: string, note: string }[]} rows
 * @param {(row: number) => void} goTo
 */
function rowList(rows, goTo) {
  return make('ol', { class: 'row-list' }, ...rows.slice(0, MAX_LISTED).map(({ row, title, note }) => {
    const button = make('button', { type: 'button', value: String(row) }, make('span', {}, grouped(row)), make('b', {}, title), make('i', {}, note))
    button.addEventListener('click', () => goTo(row))
    return make('li', {}, button)
  }))
}

/** @param {string} title @param {(Node | string)[]} content */
function section(title, ...content) {
  return make('section', {}, make('h3', {}, title), ...content)
}

/** @param {string} text */
function hint(text) {
  return make('p', { class: 'hint' }, text)
}

/**
 * Fills an element, unless it is filled anew before the content is there.
 *
 * @param {HTMLElement} element
 * @param {AbortSignal} signal
 * @param {() => Promise<(Node | string)[]>} content
 */
async function fillWith(element, signal, content) {
  /** @type {(Node | string)[]} */
  let nodes
  try {
    nodes = await content()
  } catch (error) {
    // The page of the new layout is shown soon.
    if (error instanceof OldRevision) return
    nodes = [make('p', { class: 'problem' }, error instanceof Error ? error.message : String(error))]
  }
  if (!signal.aborted) replaceContent(element, ...nodes)
}

/**
 * Fills a page with the distribution of heights and the tallest rows.
 *
 * @param {HTMLElement} element
 * @param {Source} source
 * @param {(row: number) => void} goTo
 */
export function fillHeights(element, { server, variant, signal }, goTo) {
  const name = encodeURIComponent(variant)
  return fillWith(element, signal, async () => {
    const [distribution, tallest] = await Promise.all([
      server.json(`/histogram/${name}`, {}, signal), server.json(`/tallest/${name}`, { count: 50 }, signal),
    ])
    return [
      section(`Heights in ${variant}`, histogram(distribution),
        hint('Bars are as high as the square root of the number of rows.')),
      section('Tallest rows', rowList(tallest.map((/** @type {any} */ { row, id, height }) => (
        { row, title: id, note: `${rounded(height)} pt` })), goTo)),
    ]
  })
}

/**
 * Fills a page with the bad rows.
 *
 * @param {HTMLElement} element
 * @param {Source} source
 * @param {(row: number) => void} goTo
 */
export function fillProblems(element, { server, list, signal }, goTo) {
  return fillWith(element, signal, async () => {
    const errors = await server.json('/errors', { count: MAX_LISTED }, signal)
    const total = Math.max(...list.variants.map((variant) => variant.bad_rows), errors.length)
    if (errors.length === 0) return [hint('All rows are good.')]
    const title = total > errors.length ? `The first ${errors.length} of ${grouped(total)} bad rows` : counted(total, 'bad row')
    return [section(title, rowList(errors.map((/** @type {any} */ { row, id, error }) => (
      { row, title: id, note: error })), goTo))]
  })
}

/**
 * Fills a page with what changed since the base.
 *
 * @param {HTMLElement} element
 * @param {Source} source
 * @param {(row: number) => void} goTo
 */
export function fillChanges(element, { server, variant, signal }, goTo) {
  return fillWith(element, signal, async () => {
    const changes = await server.json(`/changes/${encodeURIComponent(variant)}`, {}, signal)
    /** @param {number} row @param {string} note */
    const listed = (row, note) => ({ row, title: `row ${grouped(row)}`, note })
    const changed = changes.changed.map((/** @type {any} */ { row, old_height: oldHeight, height }) => listed(row,
      oldHeight === height ? 'other frames' : `${rounded(oldHeight)} → ${rounded(height)} pt`))
    const inserted = changes.inserted.map((/** @type {number} */ row) => listed(row, 'inserted'))
    const moved = changes.moved.map((/** @type {number} */ row) => listed(row, 'moved'))
    const redrawn = (changes.redrawn ?? []).map((/** @type {number} */ row) => listed(row, 'redrawn'))
    // Redrawn rows are known only if both runs have lines.
    const counts = ['inserted', 'removed', 'moved', 'changed', 'redrawn'].map((name) => [name, changes.totals[name]])
      .filter(([, value]) => typeof value === 'number')
    return [
      make('dl', { class: 'counts' }, ...counts.flatMap(([name, value]) => [
        make('dt', { class: String(name) }, String(name)), make('dd', {}, grouped(Number(value)))])),
      ...[['Changed', changed], ['Redrawn', redrawn], ['Inserted', inserted], ['Moved', moved]]
        .filter(([, rows]) => rows.length > 0)
        .map(([title, rows]) => section(String(title), rowList(/** @type {any} */ (rows), goTo))),
    ]
  })
}

/**
 * Fills a page with the verdict of a simulated scroll.
 *
 * @param {HTMLElement} element
 * @param {Source} source
 */
export function fillReplay(element, source) {
  const { server, variant, signal } = source
  return fillWith(element, signal, async () => {
    const { visible, ready, late, never_loaded: neverLoaded, loaded, unused, points, late_resources: lateResources } =
      await server.json(`/replay/${encodeURIComponent(variant)}`, { viewport: source.viewport }, signal)
    const figures = [
      ['became visible', grouped(visible)], ['were there in time', share(ready, visible)], ['late', share(late.count, visible)],
      ['late by, median', seconds(late.p50)], ['late by, 95 %', seconds(late.p95)], ['late by, most', seconds(late.max)],
      ['never loaded', grouped(neverLoaded)], ['loaded', `${grouped(loaded.count)}, ${megabytes(loaded.bytes)}`],
      ['loaded for nothing', `${grouped(unused.count)}, ${megabytes(unused.bytes)}`],
    ]
    return [section('Simulated scroll', scrollPlot(points, lateResources),
      hint('The line is the offset over time. Bars are resources that were late, and as high as they were late.'),
      make('dl', { class: 'figures' }, ...figures.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)])))]
  })
}

/** @param {number} count @param {number} total */
function share(count, total) {
  return total === 0 ? grouped(count) : `${grouped(count)} (${Math.round((count / total) * 100)} %)`
}

/** @param {number | null} value */
function seconds(value) {
  return value === null ? 'none' : `${grouped(value * 1000)} ms`
}

/** @param {number} bytes */
function megabytes(bytes) {
  return `${grouped(bytes / 1e6)} MB`
}

/**
 * Fills a page with what a list would load now.
 *
 * @param {HTMLElement} element
 * @param {import('./galley.js').Prefetch | null} prefetch
 * @param {string} variant
 * @param {(row: number) => void} goTo
 */
export function fillPrefetch(element, prefetch, variant, goTo) {
  if (prefetch === null) {
    replaceContent(element, hint('Reading …'))
    return
  }
  const resources = prefetch.resources ?? []
  /** @type {('visible' | 'display' | 'preload')[]} */
  const names = ['visible', 'display', 'preload']
  const ranges = make('table', { class: 'ranges' }, make('thead', {}, make('tr', {},
    ...['range', 'rows', 'loads'].map((name) => make('th', {}, name)))), make('tbody', {}, ...names.map((name) => {
    const [first, end] = prefetch[name]
    const count = resources.filter(({ range }) => range === name).length
    return make('tr', {}, make('th', { scope: 'row', class: name }, name),
      make('td', {}, end > first ? `${grouped(first)} – ${grouped(end - 1)}` : 'none'), make('td', {}, String(count)))
  })))
  replaceContent(element,
    section(`Ranges in ${variant}`, ranges, hint(prefetch.fetch_next_batch
      ? 'The next rows would be fetched now.' : `${grouped(prefetch.remaining)} points are left below the viewport.`)),
    section(`${grouped(resources.length)} resources in order of need`, rowList(resources.map((resource) => ({
      row: resource.row, title: resource.node, note: `${resource.pixel_width} × ${resource.pixel_height} px`,
    })), goTo)))
}
