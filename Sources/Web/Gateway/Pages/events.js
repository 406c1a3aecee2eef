// The events of the gateway. A page's own EventSource cannot send a token, so the stream is read with fetch.

/** The milliseconds before the gateway is reached anew, and those without an event after which it is. */
const times = { retry: 1000, silent: 15_000 }

/** The response to a request for events was no stream of events. */
class RefusedEvents extends Error {
  /** @param {number} status */
  constructor(status) {
    super(`status ${status}`)
    this.status = status
  }
}

/** @typedef {{ type: string, data: string, id: string }} Event */

/**
 * @typedef {object} Page
 * @property {() => string | null} token Returns the token that the user entered last.
 * @property {(wasWrong: boolean) => Promise<void>} askForToken
 * @property {(event: Event) => void} receive
 * @property {(isUnanswered: boolean) => void} fail A function that is called when there is no stream, and with true if no event has
 *   come in time: a browser whose six connections other tabs keep sends no request.
 */

/**
 * Receives events for ever: a stream that ends, fails, is refused or is silent is requested again.
 *
 * @param {string} path
 * @param {Page} page
 */
export async function followEvents(path, page, { retry, silent } = times) {
  for (;;) {
    const abort = new AbortController()
    let receivedAt = performance.now()
    let hasReceived = false
    let isUnanswered = false
    const guard = setInterval(() => {
      if (performance.now() - receivedAt > silent) abort.abort()
    }, silent / 15)
    const token = page.token()
    let isRefused = false
    try {
      await receiveEvents(path, token, abort.signal, (event) => {
        receivedAt = performance.now()
        hasReceived = true
        page.receive(event)
      })
    } catch (error) {
      isUnanswered = abort.signal.aborted && !hasReceived
      isRefused = error instanceof RefusedEvents && error.status === 401
      if (!isRefused) console.warn('The events ended:', error)
    } finally {
      clearInterval(guard)
      // A stream that is not read to its end would keep its connection, of which a browser has six for a gateway.
      abort.abort()
    }
    if (isRefused) {
      await page.askForToken(token !== null)
    } else {
      page.fail(isUnanswered)
      await new Promise((resolve) => setTimeout(resolve, retry))
    }
  }
}

/**
 * Calls a function with each event until the stream ends.
 *
 * @param {string} path
 * @param {string | null} token
 * @param {AbortSignal} signal
 * @param {(event: Event) => void} receive
 */
async function receiveEvents(path, token, signal, receive) {
  /** @type {Record<string, string>} */
  const headers = { accept: 'text/event-stream' }
  if (token) headers.authorization = `Bearer ${token}`
  const response = await fetch(path, { headers, signal, cache: 'no-store', credentials: 'omit' })
  if (!response.ok || !response.body) throw new RefusedEvents(response.status)
  const parse = parser(receive)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    parse(value)
  }
}

/**
 * Returns a function that takes the text of a stream in parts of any size (HTML Standard, section 9.2.6).
 *
 * @param {(event: Event) => void} receive
 */
export function parser(receive) {
  let rest = ''
  /** @type {{ type: string, data: string[], id: string }} */
  let event = { type: '', data: [], id: '' }
  /** @param {string} text */
  const line = (text) => {
    if (text === '') {
      if (event.data.length) receive({ ...event, data: event.data.join('\n') })
      event = { type: '', data: [], id: event.id }
      return
    }
    const colon = text.indexOf(':')
    const name = colon < 0 ? text : text.slice(0, colon)
    const value = colon < 0 ? '' : text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (name === 'data') event.data.push(value)
    if (name === 'event') event.type = value
    if (name === 'id') event.id = value
  }
  return (/** @type {string} */ text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const text of lines) line(text)
  }
}
