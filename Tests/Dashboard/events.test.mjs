// Tests of the stream of events with a gateway that fails: node --test Tests/Dashboard/
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { followEvents } from '../../Sources/Web/Gateway/Pages/events.js'

const event = (data) => `event: status\nid: 1\ndata: ${data}\n\n`
const begin = (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': connected\n\n')

/** What a gateway does with a request for events, before it sends an event at last. */
const faults = {
  refusal: (response) => response.writeHead(503).end('{}'),
  'no response': () => {},
  'no event': begin,
  'the end of the connection': (response) => response.destroy(),
  'the end within an event': (response) => {
    begin(response)
    response.write(event('{}').slice(0, -5), () => response.destroy())
  },
  'an event that cannot be read': (response) => {
    begin(response)
    response.write(event('no JSON'))
  },
  'the end of the stream': (response) => {
    begin(response)
    response.end()
  },
}

/**
 * Follows the events of a server until it has received a number of them. Returns four numbers: all failures, the failures without a
 * reply, those of them after an event of the same stream, and the connections that are open at the end.
 */
async function follow(serve, page = {}, until = 1) {
  const server = createServer(serve).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  let [received, failures, unanswered, misjudged, hasReceived, isOver] = [0, 0, 0, 0, false, false]
  await new Promise((resolve) => {
    followEvents(`http://127.0.0.1:${server.address().port}/`, {
      token: () => page.token?.() ?? null,
      askForToken: page.askForToken,
      receive(event) {
        JSON.parse(event.data)
        received += 1
        hasReceived = true
        if (received === until) resolve()
      },
      fail(isUnanswered) {
        if (isOver) throw new Error('The test is over.')
        failures += 1
        if (isUnanswered) unanswered += 1
        if (isUnanswered && hasReceived) misjudged += 1
        hasReceived = false
      },
    }, { retry: 1, silent: 150 }).catch(() => {})
  })
  const connections = await new Promise((resolve) => server.getConnections((_, count) => resolve(count)))
  isOver = true
  server.closeAllConnections()
  server.close()
  assert.equal(received, until)
  return { failures, unanswered, misjudged, connections }
}

for (const [name, fail] of Object.entries(faults)) {
  test(`events come after ${name}, however often`, async () => {
    let requests = 0
    const { failures, unanswered, connections } = await follow((_, response) => {
      requests += 1
      if (requests <= 8) return fail(response)
      begin(response)
      response.write(event('{"ok": true}'))
    })
    // On a busy machine a response may also come too late, which is a failure like the others.
    assert.ok(failures >= 8, `${failures} failures are shown`)
    if (name === 'no response') assert.ok(unanswered >= 8, `${unanswered} failures are shown as such without an answer`)
    assert.ok(connections <= 2, `${connections} connections were left open`)
  })
}

test('a token is asked for until it is right', async () => {
  let token = null
  const asked = []
  await follow((request, response) => {
    if (request.headers.authorization !== 'Bearer right') return response.writeHead(401).end()
    begin(response)
    response.write(event('{}'))
  }, {
    token: () => token,
    async askForToken(wasWrong) {
      asked.push(wasWrong)
      token = asked.length < 3 ? 'wrong' : 'right'
    },
  })
  assert.deepEqual(asked, [false, true, true])
})

test('a silence after events is not shown as one without an answer', async () => {
  // Each stream is silent after its only event. On a busy machine the event may also come too late.
  const { failures, misjudged } = await follow((_, response) => {
    begin(response)
    response.write(event('{"ok": true}'))
  }, {}, 2)
  assert.ok(failures > 0)
  assert.equal(misjudged, 0)
})
