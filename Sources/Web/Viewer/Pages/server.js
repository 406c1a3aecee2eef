// The requests of the page to `galley view`, and what it replies with.

/**
 * @typedef {object} Variant
 * @property {string} name
 * @property {number} width
 * @property {number} text_scale
 * @property {string | null} platform
 * @property {string | null} text_size
 * @property {'ltr' | 'rtl' | null} layout_direction
 * @property {number} scale
 * @property {number} height The height of the list, in points.
 * @property {number} bad_rows
 */

/** @typedef {{ message: string, line?: number | null, column?: number | null }} Problem An error, with its place in the cells file. */

/**
 * @typedef {object} ListInfo
 * @property {number} revision The number of the layout. Another one, of `--watch` or of another process, has another number.
 * @property {string} title
 * @property {number} rows
 * @property {Variant[]} variants
 * @property {boolean} has_texts
 * @property {boolean} watches
 * @property {boolean} loads_images
 * @property {boolean} has_base
 * @property {boolean} has_replay
 * @property {{ family: string, url: string, weight: string, style: string, variation: string | null }[]} fonts
 * @property {Problem | null} error
 */

/**
 * @typedef {object} Run
 * @property {string} text
 * @property {string} font
 * @property {number} size
 * @property {number} letter_spacing
 * @property {number} weight
 * @property {number | null} level The embedding level of the characters (UAX #9), or null for the truncation string.
 * @property {number | null} attachment_width The width of an attachment, which has no characters, or null.
 */

/**
 * @typedef {object} Line
 * @property {string} text
 * @property {number} x
 * @property {number} baseline
 * @property {number} width
 * @property {boolean} right_to_left
 * @property {boolean} justified Whether the line fills its width.
 * @property {Run[]} runs
 */

/**
 * @typedef {object} CellNode
 * @property {string} name
 * @property {string} type
 * @property {number} parent
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {Line[]} lines
 * @property {number} line_count The number of lines of the table. `lines` is empty if the texts are not known.
 * @property {boolean} truncated
 * @property {string | null} url
 */

/**
 * @typedef {object} Cell
 * @property {number} row
 * @property {string} id
 * @property {string} cell
 * @property {number} width
 * @property {number} height
 * @property {number} y
 * @property {string | null} error
 * @property {string} [text_error]
 * @property {CellNode[]} nodes
 */

/**
 * @typedef {object} Inspection
 * @property {number} row
 * @property {{ text: string, problem?: string | boolean | null, node: number | null }[]} tree The lines of the tree, with the index of
 *   the node that a line is about.
 * @property {string} ascii
 * @property {{ path: string, message: string, points: number }[]} overflow
 * @property {string | null} error
 */

/** The time after which a request without a reply is sent again, in milliseconds. */
const RETRY_MILLISECONDS = 1000
/** The statuses of a proxy whose server cannot be reached, and of a server that stops. */
const UNREACHABLE_STATUSES = [502, 503, 504]

/** The error of a request of which the tables were replaced in the meantime. */
export class OldRevision extends Error {}

/** Sends the requests for one layout of the list. */
export class Server {
  /**
   * @param {number} revision
   * @param {() => void} [onOldRevision] Called when the server has another layout.
   */
  constructor(revision, onOldRevision = () => {}) {
    this.revision = revision
    this.onOldRevision = onOldRevision
  }

  /**
   * @param {AbortSignal} [signal]
   *
   * @returns {Promise<ListInfo>}
   */
  static list(signal) {
    return untilReplied(async () => (await replied('/list.json', signal)).json(), signal)
  }

  /**
   * @param {string} path
   * @param {Record<string, string | number>} [query]
   * @param {AbortSignal} [signal]
   */
  async request(path, query = {}, signal) {
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries({ ...query, revision: this.revision })) {
      parameters.set(name, String(value))
    }
    try {
      return await replied(`${path}?${parameters}`, signal)
    } catch (error) {
      if (error instanceof OldRevision) this.onOldRevision()
      throw error
    }
  }

  /**
   * @param {string} path
   * @param {Record<string, string | number>} [query]
   * @param {AbortSignal} [signal]
   * @returns {Promise<any>}
   */
  json(path, query, signal) {
    return untilReplied(async () => (await this.request(path, query, signal)).json(), signal)
  }

  /**
   * @param {string} variant
   * @param {number} first
   * @param {number} end
   * @param {AbortSignal} [signal]
   * @returns {Promise<Cell[]>}
   */
  cells(variant, first, end, signal) {
    return this.json(`/cells/${encodeURIComponent(variant)}`, { first, end }, signal)
  }

  /**
   * Returns the row with an id, or null.
   *
   * @param {string} id
   * @param {AbortSignal} [signal]
   * @returns {Promise<number | null>}
   */
  async find(id, signal) {
    try {
      return (await this.json('/find', { id }, signal)).row
    } catch (error) {
      if (error instanceof RequestError && error.status === 404) return null
      throw error
    }
  }

  /**
   * Returns the cell with the id of a cell of another layout, in which rows may have been inserted or removed, or null.
   *
   * @param {string} variant
   * @param {{ row: number, id: string }} other
   * @param {number} rows The number of rows of this layout.
   * @param {AbortSignal} [signal]
   * @returns {Promise<Cell | null>}
   */
  async cellLike(variant, { row, id }, rows, signal) {
    const [cell] = row < rows ? await this.cells(variant, row, row + 1, signal) : []
    if (cell?.id === id) return cell
    const found = await this.find(id, signal)
    return found === null ? null : (await this.cells(variant, found, found + 1, signal))[0] ?? null
  }
}

/** The error of a request, with the explanation of the server. */
export class RequestError extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

/**
 * The connection to the server. `onChange` is called with the error of the first request without a reply, and with null when no
 * request waits for one any more.
 *
 * @type {{ onChange: (error: Error | null) => void }}
 */
export const connection = { onChange: () => {} }
/** The number of requests that are sent again. */
let unanswered = 0

/**
 * Sends a request, and sends it again while the server cannot be reached or the reply ends early.
 *
 * @template Reply
 * @param {() => Promise<Reply>} send
 * @param {AbortSignal} [signal]
 */
export async function untilReplied(send, signal) {
  let isUnanswered = false
  try {
    for (;;) {
      try {
        return await send()
      } catch (error) {
        if (!isUnreachable(error)) throw error
        if (!isUnanswered && unanswered === 0) connection.onChange(error)
        if (!isUnanswered) unanswered += 1
        isUnanswered = true
      }
      await pause(RETRY_MILLISECONDS, signal)
    }
  } finally {
    if (isUnanswered) unanswered -= 1
    if (isUnanswered && unanswered === 0) connection.onChange(null)
  }
}

/**
 * Waits, unless it is aborted.
 *
 * @param {number} milliseconds
 * @param {AbortSignal} [signal]
 */
function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const end = () => reject(signal?.reason)
    signal?.addEventListener('abort', end)
    setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve(undefined)
    }, milliseconds)
  })
}

/**
 * @param {unknown} error
 * @returns {error is Error}
 */
function isUnreachable(error) {
  // The error of fetch and of the functions of its response is a TypeError.
  return error instanceof TypeError || (error instanceof RequestError && UNREACHABLE_STATUSES.includes(error.status))
}

/**
 * Returns whether the server has a file, as soon as it replies.
 *
 * @param {string} address
 */
export function isReachable(address) {
  return untilReplied(() => replied(address, undefined, 'HEAD')).then(() => true, () => false)
}

/**
 * @param {string} address
 * @param {AbortSignal} [signal]
 * @param {'GET' | 'HEAD'} [method]
 */
async function replied(address, signal, method) {
  const response = await fetch(address, { signal, method })
  if (response.ok) return response
  let message = `The server replied with status ${response.status} to ${address}`
  try {
    const problem = await response.json()
    message = problem.detail ?? problem.title ?? message
  } catch {
    // The reply has no explanation.
  }
  if (response.status === 409 && response.headers.has('galley-revision')) throw new OldRevision(message)
  throw new RequestError(response.status, message)
}

/** @param {unknown} error */
export function isAborted(error) {
  return error instanceof DOMException && error.name === 'AbortError'
}
