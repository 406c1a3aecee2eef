// The columns of the list: a variant each.

/** @typedef {import('./server.js').Variant} Variant */

/** The space between columns, and on their left for the numbers of rows, in CSS pixels. */
const COLUMN_GAP = 24
const GUTTER = 64
const MAX_CHOSEN_AT_START = 3

/**
 * Returns where the columns of variants begin, and the width of all, in CSS pixels.
 *
 * @param {Variant[]} variants
 * @param {number} width The width of the page.
 * @param {boolean} isNarrow Whether it is as narrow as that of a phone.
 */
export function arranged(variants, width, isNarrow) {
  const gutter = isNarrow ? 0 : GUTTER
  const total = variants.reduce((sum, variant) => sum + variant.width + COLUMN_GAP, -COLUMN_GAP) + 2 * gutter
  let left = Math.max((width - total) / 2, 0) + gutter
  const lefts = variants.map((variant) => {
    const result = left
    left += variant.width + COLUMN_GAP
    return Math.round(result)
  })
  return { lefts, total: isNarrow ? left - COLUMN_GAP : total }
}

/**
 * Returns the names of the variants that a page shows at first: those that fit into it.
 *
 * @param {Variant[]} variants
 * @param {number} width The width of the page.
 * @param {boolean} isNarrow Whether it is as narrow as that of a phone.
 */
export function fitting(variants, width, isNarrow) {
  if (isNarrow) {
    const widest = variants.reduce((best, variant) => (
      variant.width <= width && variant.width > best.width ? variant : best), { name: '', width: 0 })
    return [widest.name]
  }
  let rest = width - 2 * GUTTER
  const names = []
  for (const variant of variants) {
    rest -= variant.width + COLUMN_GAP
    if (names.length > 0 && (rest < 0 || names.length >= MAX_CHOSEN_AT_START)) break
    names.push(variant.name)
  }
  return names
}

/** @param {Variant} variant */
export function variantLabel(variant) {
  const { width, platform, text_scale: textScale, text_size: textSize, layout_direction: direction, scale } = variant
  const parts = [`${width} pt`]
  if (platform !== null && platform !== 'texture') parts.push(platform)
  if (textScale !== 1) parts.push(`text ×${textScale}`)
  if (textSize !== null) parts.push(`text ${textSize}`)
  if (direction === 'rtl') parts.push('rtl')
  if (scale !== 2) parts.push(`@${scale}x`)
  return parts.join(' · ')
}
