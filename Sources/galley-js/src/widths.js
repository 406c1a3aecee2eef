// Widths of lists, and the variants that were laid out for them.

import { requireFinite, requireProperties, shown } from './checks.js'
import { fetched } from './reading.js'

/** @typedef {import('./arrowtable.js').ArrowTable} ArrowTable */

/**
 * What a variant has beside its width. Those that are left out are those of `galley layout`.
 *
 * @typedef {object} VariantOptions
 * @property {string} [platform] `texture` if it is left out.
 * @property {number} [textScale] 1 if it is left out.
 * @property {string} [textSize] None if it is left out.
 * @property {string} [layoutDirection] `ltr` if it is left out.
 * @property {number} [scale] 2 if it is left out.
 */

/**
 * A variant in manifest.json.
 *
 * @typedef {object} Variant
 * @property {string} name
 * @property {number} width
 * @property {number} textScale
 * @property {number} scale
 * @property {string} [textSize]
 * @property {string} [platform] None for texture.
 * @property {string} [layoutDirection] None for ltr.
 */

/** How far the heights of a table hold in other widths of the list, in points. */
export class Widths {
  /** @type {Float32Array} */
  #narrower
  /** @type {Float32Array} */
  #wider

  /**
   * @param {number} width The width of the variant.
   * @param {Float32Array} narrower The length for each row by less than which the list can be narrower.
   * @param {Float32Array} wider The length for each row by less than which the list can be wider.
   */
  constructor(width, narrower, wider) {
    this.width = width
    this.#narrower = narrower
    this.#wider = wider
  }

  /**
   * Returns what a table states; null if an earlier version wrote it.
   *
   * @param {ArrowTable} table
   */
  static of(table) {
    const width = /^(?:[A-Za-z]+-)?w([0-9.]+)/.exec(table.metadata.get('galley.variant') ?? '')?.[1]
    if (width === undefined || !table.has('holds_for_width')) return null
    const holds = table.numbers('holds_for_width')
    /** @param {string} column */
    const margins = (column) => {
      if (!table.has(column)) {
        throw new Error(`${table.name} has no column ${column}, but has holds_for_width. Pass the table that galley wrote`)
      }
      // A row without margins has no texts.
      return Float32Array.from(table.numbers(column).toArray(), (margin, row) =>
        holds.at(row) === 0 ? 0 : Number.isNaN(margin) ? Infinity : margin)
    }
    return new Widths(Number(width), margins('margin_narrower'), margins('margin_wider'))
  }

  /**
   * Returns whether a row of the table has the same height in a list of another width.
   *
   * @param {number} row
   * @param {number} width
   */
  holds(row, width) {
    const change = width - this.width
    return change === 0 || (change < 0 ? -change < this.#narrower[row] : change < this.#wider[row])
  }
}

export const VARIANT_OPTIONS = ['platform', 'textScale', 'textSize', 'layoutDirection', 'scale']

/**
 * Returns the address of the directory of the variant whose width is nearest to a list's; of two that are equally near the
 * narrower one.
 *
 * @param {string | URL} run The address of the directory that galley layout has written.
 * @param {number} width
 * @param {VariantOptions} [options]
 */
export async function variantFor(run, width, options = {}) {
  requireProperties(options, VARIANT_OPTIONS, 'the options of a variant')
  const { platform = 'texture', textScale = 1, textSize, layoutDirection = 'ltr', scale = 2 } = options
  requireFinite(width, 'the width of the list')
  requireFinite(textScale, 'the textScale of a variant')
  requireFinite(scale, 'the scale of a variant')
  const directory = String(run).replace(/\/+$/, '')
  const manifest = `${directory}/manifest.json`
  const variants = variantsOf(await fetched(manifest, 'text'), manifest)
  const candidates = variants.filter((variant) => (variant.platform ?? 'texture') === platform
    && isSame(variant.textScale, textScale) && variant.textSize === textSize && isSame(variant.scale, scale)
    && (variant.layoutDirection ?? 'ltr') === layoutDirection)
  if (candidates.length === 0) {
    const wanted = [`platform ${platform}`, `text scale ${textScale}`, `scale ${scale}`]
    if (textSize !== undefined) wanted.push(`text size ${textSize}`)
    if (layoutDirection !== 'ltr') wanted.push(`layout direction ${layoutDirection}`)
    throw new RangeError(`${directory} has no variant with ${wanted.join(', ')}, only ${
      variants.map(({ name }) => shown(name)).join(', ')}. Lay out the rows for it, or pass what a variant has`)
  }
  // The differences from a width far beyond all variants would be rounded to one number.
  const widths = candidates.map((variant) => variant.width)
  const clamped = Math.max(Math.min(...widths), Math.min(width, Math.max(...widths)))
  let [nearest] = candidates
  for (const variant of candidates) {
    const difference = Math.abs(variant.width - clamped) - Math.abs(nearest.width - clamped)
    if (difference < 0 || (difference === 0 && variant.width < nearest.width)) nearest = variant
  }
  return `${directory}/${nearest.name}`
}

/**
 * Returns whether two scales are the same to a device that keeps them as 32-bit floats, as Android does.
 *
 * @param {number} one
 * @param {number} other
 */
function isSame(one, other) {
  return Math.fround(one) === Math.fround(other)
}

/**
 * @param {string} text
 * @param {string} name
 * @returns {Variant[]}
 */
function variantsOf(text, name) {
  try {
    const { variants } = JSON.parse(text)
    if (Array.isArray(variants) && variants.every((variant) => typeof variant?.name === 'string')) return variants
  } catch {
    // Servers of applications reply with a page where they have no file.
  }
  throw new Error(`${name} is no manifest of a run. Pass the address of the directory that galley layout wrote`)
}
