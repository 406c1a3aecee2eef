// Runs page.html in headless Chromium: `node run.mjs TABLES`, TABLES being a directory with heights.arrow,
// resources.arrow, queries.jsonl and, if they are to be compared, replies.jsonl.

import { spawn } from 'node:child_process'
import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const LIMIT_SECONDS = 300

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const tables = process.argv[2]
const types = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript' }

/**
 * Returns the file for the path of a request.
 *
 * @param {string} path
 */
function fileFor(path) {
  const clean = normalize(path)
  return clean.startsWith('/tables/') ? join(tables, clean.slice('/tables/'.length)) : join(repository, clean)
}

/** Serves the page, and resolves with what it found. */
function serve() {
  /** @type {(result: any) => void} */
  let settle = () => {}
  const result = new Promise((resolve) => { settle = resolve })
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (request.method === 'POST') {
      let body = ''
      request.on('data', (data) => { body += data })
      request.on('end', () => {
        response.end()
        settle(JSON.parse(body))
      })
      return
    }
    const file = fileFor(pathname)
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' })
    createReadStream(file).pipe(response)
  })
  return { server, result }
}

const { server, result } = serve()
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)))
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
const profile = mkdtempSync(join(tmpdir(), 'galley-js-'))
// The flags keep Chromium from other hosts; without them it asks its maker's servers for updates of its components.
const chromium = spawn('chromium', [
  '--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', `--user-data-dir=${profile}`,
  `http://127.0.0.1:${port}/Tests/galley-js/browser/page.html`,
], { stdio: 'ignore', detached: true })
const ended = new Promise((resolve) => {
  chromium.on('error', ({ message }) => resolve({ error: `Chromium could not be started: ${message}` }))
  chromium.on('exit', (code) => resolve({ error: `Chromium ended with exit code ${code}` }))
})
const late = new Promise((resolve) => {
  setTimeout(() => resolve({ error: `Chromium was not ready after ${LIMIT_SECONDS} s` }), LIMIT_SECONDS * 1000).unref()
})
const found = await Promise.race([result, ended, late])
// It is the leader of a group, to which the processes of its pages belong.
if (chromium.pid !== undefined && chromium.exitCode === null) process.kill(-chromium.pid, 'SIGKILL')
await ended
server.close()
server.closeAllConnections?.()
rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })

if (found.error !== undefined) {
  console.error(found.error)
  process.exit(1)
}
const { rows, resources, milliseconds, replies, microseconds } = found
console.log(`Chromium: all checks passed, ${replies} replies of galley prefetch compared`)
console.log(`  read heights.arrow of ${rows} rows in ${milliseconds.heights.toFixed(0)} ms`)
console.log(`  read resources.arrow of ${resources} resources in ${milliseconds.resources.toFixed(0)} ms`)
for (const [name, time] of Object.entries(microseconds)) {
  console.log(`  ${name}: ${time.toFixed(2)} µs with a million rows`)
}
