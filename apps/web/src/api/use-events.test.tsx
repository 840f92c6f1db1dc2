import { followDataflow } from '@trellis/contract/runs/runs.endpoints'
import type { DataflowEvent } from '@trellis/contract/runs/runs.schemas'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseEvents } from './event-stream.ts'
import { follow } from './follow.ts'
import type { FollowState } from './follow.ts'
import { startLocalServer } from './local-server.ts'
import type { Answer, SeenRequest } from './local-server.ts'
import { findToken, storeToken } from './token-store.ts'
import { useEvents } from './use-events.ts'

const params = { account_trellis_code: 'acc', workspace_address: 'main', trellis_code: 'flow-1' }
const URL = '/api/acc/main/dataflows/follow/flow-1'
const canvas = (by: string) => `data: {"type":"canvas","by":"${by}"}\n\n`
const stream = (body: unknown): Answer => ({ body, headers: { 'content-type': 'text/event-stream' } })
const refusal = (status: number, code: string): Answer => ({
  status,
  body: { errors: [{ status: String(status), code, title: 'No', detail: 'No.', id: 'r-1' }] },
})

let server: Awaited<ReturnType<typeof startLocalServer>>
let answer: (request: SeenRequest) => Answer | Promise<Answer>
let stop: AbortController

beforeEach(async () => {
  localStorage.clear()
  storeToken({ access_token: 'abc', email: 'ada@example.com' })
  stop = new AbortController()
  server = await startLocalServer((request) => answer(request))
})
afterEach(async () => {
  stop.abort()
  cleanup()
  await server.stop()
})

async function* pieces(...all: (string | Uint8Array)[]) {
  for (const piece of all) yield await Promise.resolve(piece)
}
async function* andThenNothing(...all: string[]) {
  yield* pieces(...all)
  await new Promise(() => undefined)
}
const followHere = (onEvent: (event: DataflowEvent) => 'over' | undefined, states: FollowState[] = []) =>
  follow(followDataflow, () => ({ params }), {
    signal: stop.signal,
    firstWait: 1,
    onEvent,
    onState: (state) => states.push(state),
  })
const getAuthor = (event: DataflowEvent) => (event.type === 'canvas' ? event.by : null)

test('events are read however they are cut, with comments between and any line ends', async () => {
  const all: string[] = []
  for await (const data of parseEvents(
    pieces('da', 'ta: {"a"', ':1}\r\n\r', '\n: alive\n\ndata:x\ndata: y\n\n') as never,
  )) {
    all.push(data)
  }
  expect(all).toEqual(['{"a":1}', 'x\ny'])
})

describe('following', () => {
  test('carries the token, reads events as they come and ends when the reader says so', async () => {
    const bytes = new TextEncoder().encode(canvas('Zoë'))
    const cut = bytes.indexOf(0xc3) + 1
    answer = () => stream(pieces(': hello\n\n', bytes.slice(0, cut), bytes.slice(cut), canvas('last'), canvas('never')))
    const seen: (string | null)[] = []
    const states: FollowState[] = []
    await followHere((event) => (seen.push(getAuthor(event)), getAuthor(event) === 'last' ? 'over' : undefined), states)
    expect(seen).toEqual(['Zoë', 'last'])
    expect(states).toEqual(['connecting', 'live', 'over'])
    expect(server.seen[0]).toMatchObject({
      url: URL,
      headers: { authorization: 'Bearer abc', accept: 'text/event-stream' },
    })
  })

  test('leaves out what does not fit the contract', async () => {
    answer = () => stream(pieces('data: {"type":"news"}\n\n', canvas('last')))
    const seen: unknown[] = []
    await followHere((event) => (seen.push(event), 'over'))
    expect(seen).toEqual([{ type: 'canvas', by: 'last' }])
  })

  test('asks again after a cut, an outage and a limit', async () => {
    const answers = [stream(pieces(canvas('first'))), refusal(503, 'unavailable'), refusal(429, 'too_many_requests')]
    answer = () => answers.shift() ?? stream(pieces(canvas('last')))
    const seen: (string | null)[] = []
    await followHere((event) => (seen.push(getAuthor(event)), getAuthor(event) === 'last' ? 'over' : undefined))
    expect(seen).toEqual(['first', 'last'])
    expect(server.of(URL)).toHaveLength(4)
  })

  test('asks again when the line goes silent', async () => {
    let asked = 0
    answer = () => (
      (asked += 1),
      asked === 1 ? stream(andThenNothing(canvas('first'))) : stream(pieces(canvas('last')))
    )
    await follow(followDataflow, () => ({ params }), {
      signal: stop.signal,
      firstWait: 1,
      longestSilence: 60,
      onEvent: (event) => (getAuthor(event) === 'last' ? 'over' : undefined),
    })
    // On a busy machine a response may arrive after the timeout too.
    expect(asked).toBeGreaterThanOrEqual(2)
  })

  test('a 401 is answered with one refresh, a refusal is final', async () => {
    answer = (request) => {
      if (request.url === '/auth/token/refresh') {
        return { body: { data: { access_token: 'fresh', token_type: 'Bearer', expires_in: 600 } } }
      }
      return request.headers.authorization === 'Bearer fresh'
        ? refusal(404, 'not_found')
        : refusal(401, 'not_signed_in')
    }
    const states: FollowState[] = []
    await followHere(() => undefined, states)
    expect(states).toEqual(['connecting', 'refused'])
    expect(server.of('/auth/token/refresh')).toHaveLength(1)
    expect(server.of(URL)).toHaveLength(2)
    expect(findToken()?.access_token).toBe('fresh')
  })
})

describe('the hook', () => {
  function Watch({ code, onEvent }: { code: string; onEvent: (event: DataflowEvent) => void }) {
    const { state } = useEvents(followDataflow, { params: { ...params, trellis_code: code } }, onEvent)
    return <p>{state}</p>
  }
  const look = (state: 'hidden' | 'visible') => {
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
  }
  afterEach(() => look('visible'))

  test('follows another stream when the call changes, none while hidden and none after unmount', async () => {
    answer = (request) => stream(andThenNothing(canvas(request.url.split('/').pop() ?? '')))
    const seen: (string | null)[] = []
    const onEvent = (event: DataflowEvent) => void seen.push(getAuthor(event))
    const { rerender, unmount } = render(<Watch code="flow-1" onEvent={onEvent} />)
    await waitFor(() => expect(seen).toEqual(['flow-1']))
    expect(screen.getByText('live')).toBeTruthy()
    rerender(<Watch code="flow-2" onEvent={onEvent} />)
    await waitFor(() => expect(seen).toEqual(['flow-1', 'flow-2']))
    look('hidden')
    rerender(<Watch code="flow-3" onEvent={onEvent} />)
    expect(server.seen).toHaveLength(2)
    look('visible')
    await waitFor(() => expect(seen).toEqual(['flow-1', 'flow-2', 'flow-3']))
    unmount()
    look('hidden')
    look('visible')
    expect(server.seen).toHaveLength(3)
  })
})
