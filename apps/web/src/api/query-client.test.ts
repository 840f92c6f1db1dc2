import { listAccounts } from '@trellis/contract/accounts/accounts.endpoints'
import { MutationObserver, type QueryClient, QueryObserver } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import { ApiError, unreachableError } from './api-error.ts'
import { apiQuery, withDetail } from './api-query.ts'
import { createQueryClient, isWorthRetrying } from './query-client.ts'
import { storeToken } from './token-store.ts'
import { getIdentity } from '@trellis/contract/identity/identity.endpoints'

const refusal = new ApiError({ status: 422, code: 'code_wrong', title: 'No', detail: 'That code has expired.' })
const signedOut = new ApiError({ status: 401, code: 'not_signed_in', title: 'No', detail: 'Sign in.' })

beforeEach(() => localStorage.clear())

function client() {
  const toasts: string[] = []
  let ends = 0
  const made = createQueryClient({
    toast: (tone, text) => toasts.push(`${tone}: ${text}`),
    onSignedOut: () => (ends += 1),
  })
  const mutate = (outcome: Error | null, texts: object) =>
    new MutationObserver(made, {
      mutationFn: () => (outcome ? Promise.reject(outcome) : Promise.resolve(1)),
      meta: { texts },
    })
      .mutate()
      .catch(() => undefined)
  return { made, toasts, mutate, ends: () => ends }
}

test('the key of a query is the endpoint and its input', () => {
  expect(apiQuery(getIdentity, {}).queryKey).toEqual(['getIdentity', {}])
})

test('success and failure texts become toasts', async () => {
  const { toasts, mutate } = client()
  await mutate(null, { successText: 'Changes successfully saved.' })
  await mutate(refusal, { errorText: 'Failed to add account.' })
  await mutate(refusal, { errorText: withDetail('Failed to add account.') })
  await mutate(refusal, {})
  expect(toasts).toEqual([
    'success: Changes successfully saved.',
    'error: Failed to add account.',
    'error: Failed to add account. That code has expired.',
  ])
})

test.each(['not_found', 'forbidden', 'plan_expired'] as const)('after %s the accounts are read again', async (code) => {
  const { made, mutate } = client()
  made.setQueryData([listAccounts.id, {}], [])
  await mutate(refusal, {})
  expect(made.getQueryState([listAccounts.id, {}])?.isInvalidated).toBe(false)
  await mutate(new ApiError({ status: 402, code, title: 'No', detail: 'No.' }), {})
  expect(made.getQueryState([listAccounts.id, {}])?.isInvalidated).toBe(true)
})

test('only a session that is really over is ended', async () => {
  const { mutate, ends } = client()
  await mutate(refusal, {})
  storeToken({ access_token: 'kept through an outage' })
  await mutate(signedOut, {})
  expect(ends()).toBe(0)
  localStorage.clear()
  await mutate(signedOut, {})
  expect(ends()).toBe(1)
})

test('a lost or broken answer is asked for once more, a refusal is not', () => {
  expect(isWorthRetrying(0, unreachableError())).toBe(true)
  expect(isWorthRetrying(1, unreachableError())).toBe(false)
  expect(isWorthRetrying(0, refusal)).toBe(false)
  const restarting = new ApiError({ status: 503, code: 'unavailable', title: 'No', detail: 'Try again in a moment.' })
  expect(isWorthRetrying(3, restarting)).toBe(true)
  expect(isWorthRetrying(4, restarting)).toBe(false)
})

function watchState(made: QueryClient, more: { initialData?: string; staleTime?: number } = {}) {
  const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  const seen: unknown[] = []
  let asked = 0
  const observer = new QueryObserver(made, {
    queryKey: ['state'],
    queryFn: async () => {
      asked += 1
      return await (answers[asked - 1]?.promise ?? 'asked too often')
    },
    ...more,
  })
  const stop = observer.subscribe(({ data }) => seen.push(data))
  return { seen, stop, asked: () => asked, answer: (at: number, text: string) => answers[at]?.resolve(text) }
}

test('an answer that was under way when its query was invalidated is asked for again', async () => {
  const { made } = client()
  const { seen, stop, asked, answer } = watchState(made)
  void made.invalidateQueries({ queryKey: ['state'] })
  answer(0, 'read before the change')
  answer(1, 'read after it')
  await expect.poll(() => seen.at(-1)).toBe('read after it')
  expect(asked()).toBe(2)
  stop()
})

test('an answer that was under way when newer data was set does not replace it', async () => {
  const { made } = client()
  const { seen, stop, asked, answer } = watchState(made, { initialData: 'begun', staleTime: 0 })
  made.setQueryData(['state'], 'sent')
  made.setQueryData(['state'], 'being read')
  await expect.poll(asked).toBe(2)
  answer(0, 'an older state')
  answer(1, 'read')
  await expect.poll(() => seen.at(-1)).toBe('read')
  expect(seen).not.toContain('an older state')
  expect(asked()).toBe(2)
  stop()
})
