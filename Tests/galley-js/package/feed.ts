// What a program in TypeScript does with the package: each part is used with its types.

import {
  Frames, Heights, Lines, Resources, cellHTML, draw, renderViewport, skeletonSVG, spanAt, userTextScale, variantFor, verify,
  type CellData, type Frame, type Prefetch, type RenderedRow, type Span,
} from 'galley-js'

export async function openFeed(run: string, width: number): Promise<CellData> {
  const variant: string = await variantFor(run, width, { platform: 'web', textScale: userTextScale([1, 1.35]) })
  const heights: Heights = await Heights.fromArrow(`${variant}/heights.arrow`)
  heights.resources = await Resources.fromArrow(new URL(`${variant}/resources.arrow`))
  const frames = await Frames.fromArrow(`${variant}/frames.arrow`)
  return { heights, frames, lines: await Lines.fromArrow(`${variant}/lines.arrow`, `${variant}/texts.arrow`) }
}

export function show(cells: CellData, row: number, element: HTMLElement, prefetch: Prefetch): () => void {
  const [first, end] = prefetch.display
  draw(row, element, { ...cells, range: row >= first && row < end ? 'display' : 'preload', images: { photo: { alt: 'A photo' } } })
  return verify(element, row, { ...cells, id: `post-${row}` })
}

export function textFrames(frames: Frames, row: number): Frame[] {
  return frames.of(row).filter(({ type, lines }) => type === 'text' && lines > 0)
}

export function certainHeight(list: Heights, row: number, width: number): number | null {
  const { height, certain } = list.heightOf(row, width)
  return certain ? height : null
}

export function tapped(lines: Lines, row: number, node: string, x: number, y: number): Span | null {
  const text = lines.of(row).find((text) => text.node === node)
  return text === undefined ? null : spanAt(text, x, y)
}

export function firstRows(cells: CellData, hasLines: boolean): RenderedRow[] {
  const query = { offset: 0, viewport: 844 }
  if (hasLines) return renderViewport(query, cells, cellHTML).rows
  return renderViewport(query, { heights: cells.heights, frames: cells.frames }, skeletonSVG).rows
}

// Each of these must be an error.
// @ts-expect-error: a buffer is read at once, an address is not.
export const promised: Promise<Heights> = Heights.fromArrow(new ArrayBuffer(8))
// @ts-expect-error: an axis of another name.
Heights.from([1], { axis: 'diagonal' })
// @ts-expect-error: the lines are missing.
export const missing = (heights: Heights, frames: Frames, element: HTMLElement) => draw(0, element, { heights, frames })
// @ts-expect-error: cells have lines.
export const html = (heights: Heights, frames: Frames) => renderViewport({ offset: 0, viewport: 1 }, { heights, frames }, cellHTML)
