// The relation between an offset in the list and the position of the scroll bar. Browsers limit the height of elements:
// the list of a million posts is taller than any of them allows.

/**
 * The greatest height of the scrolled element, in CSS pixels. Up to it, positions are exact to a quarter of a pixel as float32,
 * in which Firefox has them in units of 1/60 pixel.
 */
export const MAX_SCROLL_HEIGHT = 4_000_000
/** The part of the element, at each end, in which a pixel of the scroll bar's position is a point of the list. */
const EXACT_PART = 1 / 8
/** A step of this many viewports is no step of a wheel, a key or a finger, but of the scroll bar's thumb or a script. */
export const MAX_RELATIVE_VIEWPORTS = 16
/** The same while the pointer holds the scroll bar. A thumb that moves by a pixel moves the list by far more. */
export const MAX_RELATIVE_VIEWPORTS_OF_BAR = 2

/**
 * Maps offsets to scroll positions and back.
 *
 * A list that is not too tall has its offsets as positions. In a taller one small steps move the list by as many points,
 * so that nothing is skipped, and large steps go to where the thumb of the scroll bar is. `base` is the difference
 * between both. `settle` brings the thumb back to where it belongs.
 */
export class ScrollMapping {
  /**
   * @param {number} size The height of the list.
   * @param {number} viewport
   */
  constructor(size, viewport) {
    this.size = size
    this.viewport = viewport
    /** The height of the scrolled element. */
    this.scrollHeight = Math.min(size, MAX_SCROLL_HEIGHT)
    this.maxOffset = Math.max(size - viewport, 0)
    this.maxPosition = Math.max(this.scrollHeight - viewport, 0)
    this.offset = 0
    this.position = 0
  }

  get isScaled() {
    return this.maxOffset > this.maxPosition
  }

  /** What is added to a position to get its offset. */
  get base() {
    return this.offset - this.position
  }

  /**
   * Returns the position at which the thumb shows where an offset is.
   *
   * @param {number} offset
   */
  positionOf(offset) {
    const { maxOffset, maxPosition } = this
    const clamped = Math.min(Math.max(offset, 0), maxOffset)
    if (!this.isScaled) return clamped
    const exact = maxPosition * EXACT_PART
    if (clamped <= exact) return clamped
    if (clamped >= maxOffset - exact) return maxPosition - (maxOffset - clamped)
    return exact + ((clamped - exact) / (maxOffset - 2 * exact)) * (maxPosition - 2 * exact)
  }

  /**
   * Returns the offset of which `positionOf` is a position.
   *
   * @param {number} position
   */
  offsetOf(position) {
    const { maxOffset, maxPosition } = this
    const clamped = Math.min(Math.max(position, 0), maxPosition)
    if (!this.isScaled) return clamped
    const exact = maxPosition * EXACT_PART
    if (clamped <= exact) return clamped
    if (clamped >= maxPosition - exact) return maxOffset - (maxPosition - clamped)
    return exact + ((clamped - exact) / (maxPosition - 2 * exact)) * (maxOffset - 2 * exact)
  }

  /**
   * Follows the scroll bar.
   *
   * @param {number} position Where the browser has scrolled to.
   * @param {boolean} [isBarHeld] Whether the pointer holds the scroll bar.
   */
  scrollTo(position, isBarHeld = false) {
    const step = position - this.position
    const limit = isBarHeld ? MAX_RELATIVE_VIEWPORTS_OF_BAR : MAX_RELATIVE_VIEWPORTS
    const isRelative = this.isScaled && Math.abs(step) <= limit * this.viewport
    const isAtEnd = position <= 0 || position >= this.maxPosition
    this.offset = isRelative && !(isAtEnd && isBarHeld)
      ? Math.min(Math.max(this.offset + step, 0), this.maxOffset)
      : this.offsetOf(position)
    // Positions are rounded, so that the end of the element can be reached up to a point before that of the list.
    if (position <= 0 && this.offset < 1) this.offset = 0
    if (position >= this.maxPosition && this.offset > this.maxOffset - 1) this.offset = this.maxOffset
    this.position = position
  }

  /**
   * Goes to an offset.
   *
   * @param {number} offset
   * @returns {number} The position to scroll to.
   */
  jumpTo(offset) {
    this.offset = Math.min(Math.max(offset, 0), this.maxOffset)
    this.position = this.isScaled ? Math.round(this.positionOf(this.offset)) : this.offset
    return this.position
  }

  /**
   * Whether the position has gone so far from where the thumb belongs that the end of the element could be reached
   * before that of the list.
   */
  get isFarOff() {
    if (!this.isScaled) return false
    const isBlocked = (this.position <= 0 && this.offset > 0)
      || (this.position >= this.maxPosition && this.offset < this.maxOffset)
      || (this.offset <= 0 && this.position > 0)
      || (this.offset >= this.maxOffset && this.position < this.maxPosition)
    return isBlocked || Math.abs(this.positionOf(this.offset) - this.position) > (this.maxPosition * EXACT_PART) / 2
  }
}
