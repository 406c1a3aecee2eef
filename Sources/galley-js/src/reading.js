// Reading files.

import { shown } from './checks.js'

/** @typedef {ArrayBuffer | SharedArrayBuffer | ArrayBufferView} Buffer */

/**
 * Reads a buffer at once, or a file by its address.
 *
 * @template Result
 * @param {Buffer | string | URL} source
 * @param {string} name
 * @param {(bytes: Uint8Array, name: string) => Result} parse
 * @returns {any}
 */
export function read(source, name, parse) {
  if (ArrayBuffer.isView(source)) {
    return parse(new Uint8Array(source.buffer, source.byteOffset, source.byteLength), name)
  }
  if (typeof source === 'string' || source instanceof URL) {
    return fetched(source, 'arrayBuffer').then((buffer) => parse(new Uint8Array(buffer), String(source)))
  }
  // Only pages that are isolated from other origins have shared buffers.
  const isShared = typeof SharedArrayBuffer === 'function' && source instanceof SharedArrayBuffer
  if (isShared || source instanceof ArrayBuffer) return parse(new Uint8Array(source), name)
  throw new TypeError(`Pass an ArrayBuffer, a view of one, or a URL for ${name}, not ${shown(source)}`)
}

/**
 * Returns the content of a file.
 *
 * @param {string | URL} url
 * @param {'arrayBuffer' | 'text'} form
 * @returns {Promise<any>}
 */
export async function fetched(url, form) {
  /** @param {Error} error */
  const fail = (error) => {
    throw new Error(`${url} could not be read: ${error.message}. Check the address and the server`, { cause: error })
  }
  const response = await fetch(url).catch(fail)
  if (!response.ok) {
    throw new Error(`${url} could not be read: the server replied ${response.status}. Check the address`)
  }
  // A transfer can be cut.
  return response[form]().catch(fail)
}

/**
 * @param {string} name
 * @param {string} what
 */
export function damage(name, what) {
  return new Error(
    `${name} is damaged or incomplete: ${what}. Copy the file again from the directory that galley wrote`)
}
