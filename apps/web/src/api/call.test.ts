import { locks } from 'node:worker_threads'
import { defineEndpoint } from '@trellis/contract/core/endpoint'
import { Done } from '@trellis/contract/core/shapes'
import {
  confirmSecondFactor,
  endSession,
  getIdentity,
  login,
  signup,
} from '@trellis/contract/identity/identity.endpoints'
import * as z from 'zod/mini'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { call } from './call.ts'
import { startLocalServer } from './local-server.ts'
import type { Answer, SeenRequest } from './local-server.ts'
import { isSessionOver } from './refresh.ts'
import { findToken, storeToken } from './token-store.ts'
import { readData } from './send.ts'

const identity = { code: 'u1', email: 'ada@example.com', first_name: 'Ada', surname: 'L' }
const notSignedIn: Answer = {
  status: 401,
  body: {
    errors: [
      { status: '401', code: 'not_signed_in', title: 'You are not signed in', detail: 'Sign in again.', id: 'r-1' },
    ],
  },
}
const REFRESH = '/auth/token/refresh'

let server: Awaited<ReturnType<typeof startLocalServer>>
let answer: (request: SeenRequest) => Answer | Promise<Answer>

beforeEach(async () => {
  localStorage.clear()
  answer = () => ({ body: { data: identity } })
  server = await startLocalServer((request) => answer(request))
})
afterEach(() => server.stop())

const withRefresh =
  (refresh: Answer) =>
  (request: SeenRequest): Answer => {
    if (request.url === REFRESH) return refresh
    return request.headers.authorization === 'Bearer fresh' ? { body: { data: identity } } : notSignedIn
  }
const handsOutFresh: Answer = { body: { data: { access_token: 'fresh', token_type: 'Bearer', expires_in: 600 } } }

describe('a call', () => {
  test('carries the bearer token and unwraps data', async () => {
    storeToken({ access_token: 'abc', email: identity.email })
    expect(await call(getIdentity, {})).toEqual(identity)
    expect(server.seen[0]).toMatchObject({
      method: 'GET',
      url: '/auth/identity',
      headers: { authorization: 'Bearer abc' },
    })
  })

  test('refuses a missing path parameter or body before sending', async () => {
    const missing = { params: { session_id: undefined } } as unknown as { params: { session_id: string } }
    await expect(call(endSession, missing)).rejects.toThrow(
      'Required parameter session_id was null or undefined when calling endSession.',
    )
    await expect(call(login, {} as never)).rejects.toThrow(
      'Required parameter body was null or undefined when calling login.',
    )
    expect(server.seen).toHaveLength(0)
  })

  test('writes path and query safely and leaves empty query values out', async () => {
    const find = defineEndpoint({
      id: 'find',
      feature: 'identity',
      method: 'GET',
      path: '/x/:name',
      summary: '',
      permission: 'public',
      params: z.object({ name: z.string() }),
      query: z.object({ q: z.optional(z.string()), tag: z.optional(z.array(z.string())), page: z.optional(z.int()) }),
      response: Done,
    })
    await call(find, { params: { name: 'a/b ?' }, query: { q: undefined, tag: ['x', 'y&z'], page: 2 } })
    expect(server.seen[0]?.url).toBe('/api/x/a%2Fb%20%3F?tag=x&tag=y%26z&page=2')
  })

  test('gives a creating call an Idempotency-Key of its own', async () => {
    const body = { firstName: 'Ada', surname: 'Lovelace', email: identity.email, password: 'Secret-123' }
    await call(signup, { body })
    await call(signup, { body })
    const keys = server.seen.map((request) => request.headers['idempotency-key'])
    expect(keys[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(keys[1]).not.toBe(keys[0])
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual(body)
  })

  test('makes an ApiError of a refusal, with source and reference', async () => {
    const fault = {
      status: '422',
      code: 'code_wrong',
      title: 'No',
      detail: 'That code has expired.',
      source: { pointer: '/code' },
      id: 'req-9',
    }
    answer = () => ({ status: 422, body: { errors: [fault] } })
    const error = await call(login, { body: { email: 'a@b.co', password: 'x' } }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      status: 422,
      code: 'code_wrong',
      detail: 'That code has expired.',
      requestId: 'req-9',
      source: { pointer: '/code' },
    })
  })

  test('understands an answer that is not ours, and no answer', async () => {
    answer = () => ({ status: 503, body: '<h1>Gateway</h1>', headers: { 'retry-after': '7' } })
    await expect(call(getIdentity, {})).rejects.toMatchObject({ status: 503, code: 'unavailable', retryAfter: 7 })
    answer = () => ({ status: 200, body: '<h1>Sign in to the wifi</h1>' })
    await expect(call(getIdentity, {})).rejects.toMatchObject({ code: 'unavailable' })
    await server.stop()
    await expect(call(getIdentity, {})).rejects.toMatchObject({ status: 0, code: 'unreachable' })
  })

  test('takes an answer that is cut for none: the server may have done what it was asked', async () => {
    const cut = new ReadableStream({ start: (controller) => controller.error(new TypeError('network error')) })
    await expect(readData(new Response(cut))).rejects.toMatchObject({ status: 0, code: 'unreachable' })
  })

  test('can be aborted', async () => {
    const abort = new AbortController()
    answer = () => {
      abort.abort()
      return new Promise(() => undefined)
    }
    await expect(call(getIdentity, {}, { signal: abort.signal })).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('on 401', () => {
  test.each([
    ['with Web Locks', locks],
    ['without Web Locks', undefined],
  ])('8 parallel calls share one refresh %s', async (_, manager) => {
    Object.defineProperty(navigator, 'locks', { value: manager, configurable: true })
    storeToken({ access_token: 'stale', email: identity.email })
    let waiting: (() => void)[] = []
    answer = async (request) => {
      if (request.url !== REFRESH && request.headers.authorization === 'Bearer stale') {
        await new Promise<void>((go) => {
          waiting.push(go)
          if (waiting.length === 8) for (const one of waiting) one()
        })
      }
      return withRefresh(handsOutFresh)(request)
    }
    const answers = await Promise.all(Array.from({ length: 8 }, () => call(getIdentity, {})))
    waiting = []
    expect(answers).toEqual(Array.from({ length: 8 }, () => identity))
    expect(server.of(REFRESH)).toHaveLength(1)
    expect(JSON.parse(server.of(REFRESH)[0]?.body ?? '')).toEqual({ email: identity.email })
    expect(server.of('/auth/identity')).toHaveLength(16)
    expect(findToken()).toEqual({ access_token: 'fresh', email: identity.email })
  })

  test('a replay repeats the same Idempotency-Key', async () => {
    storeToken({ access_token: 'stale', email: identity.email })
    answer = withRefresh(handsOutFresh)
    const make = defineEndpoint({
      id: 'make',
      feature: 'accounts',
      method: 'POST',
      path: '/make',
      summary: '',
      permission: 'profile:self',
      response: Done,
      creates: true,
    })
    await call(make, {})
    const keys = server.of('/api/make').map((request) => request.headers['idempotency-key'])
    expect(keys).toHaveLength(2)
    expect(keys[0]).toBe(keys[1])
  })

  test('a token another tab has renewed is used without a refresh', async () => {
    storeToken({ access_token: 'stale', email: identity.email })
    answer = (request) => {
      if (request.headers.authorization === 'Bearer stale') storeToken({ access_token: 'fresh', email: identity.email })
      return withRefresh(handsOutFresh)(request)
    }
    expect(await call(getIdentity, {})).toEqual(identity)
    expect(server.of(REFRESH)).toHaveLength(0)
  })

  test('a refused refresh throws the first error and ends the session', async () => {
    storeToken({ access_token: 'stale', email: identity.email })
    answer = withRefresh({
      status: 401,
      body: { errors: [{ status: '401', code: 'not_signed_in', title: 'x', detail: 'refresh refused', id: 'r-2' }] },
    })
    const error = await call(getIdentity, {}).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'not_signed_in', requestId: 'r-1' })
    expect(isSessionOver(error)).toBe(true)
  })

  test('an outage during the refresh is told as one and keeps the session', async () => {
    storeToken({ access_token: 'stale', email: identity.email })
    answer = withRefresh({
      status: 503,
      body: {
        errors: [{ status: '503', code: 'unavailable', title: 'x', detail: 'Try again in a moment.', id: 'r-2' }],
      },
    })
    const error = await call(getIdentity, {}).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'unavailable', requestId: 'r-2' })
    expect(isSessionOver(error)).toBe(false)
    expect(findToken()).not.toBeNull()
  })

  test('with no stored e-mail the error comes directly', async () => {
    storeToken({ access_token: 'stale' })
    answer = withRefresh(handsOutFresh)
    await expect(call(getIdentity, {})).rejects.toMatchObject({ code: 'not_signed_in' })
    expect(server.seen).toHaveLength(1)
  })

  test('the e-mail of the stored profile serves when the token has none', async () => {
    storeToken({ access_token: 'stale' })
    localStorage.setItem('trellis.profile', JSON.stringify({ email: identity.email }))
    answer = withRefresh(handsOutFresh)
    expect(await call(getIdentity, {})).toEqual(identity)
  })

  test('a wrong password or authenticator code is not taken for a lost session', async () => {
    storeToken({ access_token: 'fresh', email: identity.email })
    answer = () => ({
      status: 401,
      body: { errors: [{ status: '401', code: 'second_factor_wrong', title: 'x', detail: 'y' }] },
    })
    await expect(call(confirmSecondFactor, { body: { code: '123456' } })).rejects.toMatchObject({
      code: 'second_factor_wrong',
    })
    await expect(call(login, { body: { email: 'a@b.co', password: 'x' } })).rejects.toMatchObject({ status: 401 })
    expect(server.of(REFRESH)).toHaveLength(0)
  })
})
