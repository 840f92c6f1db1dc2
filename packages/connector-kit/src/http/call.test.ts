import { expect, test } from 'vitest'
import { createTestContext } from '../testing/test-context.ts'
import { call } from './call.ts'

const rules = { platform: 'Shop' }
const url = 'http://simulator.invalid/test/api/orders'

function shop(answers: (at: number) => Response) {
  let asked = 0
  return { simulator: async () => answers((asked += 1)), asked: () => asked }
}
const down = () => new Response('{"message":"maintenance"}', { status: 503 })

test('a run waits for a platform that is down; who waits for the answer is told within their interactiveLimits', async () => {
  const run = createTestContext({ simulator: shop(down).simulator })
  const begun = run.now().getTime()
  await expect(call(run, { url }, rules)).rejects.toMatchObject({ kind: 'transient' })
  const patient = run.now().getTime() - begun
  const { simulator, asked } = shop(down)
  const waiting = createTestContext({ simulator, interactiveLimits: { maxRetryMs: 10_000, maxBytes: 1000 } })
  await expect(call(waiting, { url }, rules)).rejects.toMatchObject({
    kind: 'transient',
    message: expect.stringContaining('Shop'),
  })
  expect(waiting.now().getTime() - begun).toBeLessThanOrEqual(10_000)
  expect(patient).toBeGreaterThan(15_000)
  expect(asked()).toBeGreaterThan(1)
})

test('what passes within their interactiveLimits is waited for', async () => {
  const { simulator } = shop((at) => (at < 3 ? down() : Response.json({ ok: true })))
  const context = createTestContext({ simulator, interactiveLimits: { maxRetryMs: 10_000, maxBytes: 1000 } })
  expect((await call(context, { url }, rules)).json()).toEqual({ ok: true })
})

test('an address that may not be called is said at once, with what to do', async () => {
  let asked = 0
  const context = createTestContext({ simulator: async () => Response.json({}) })
  const guarded = () => {
    asked += 1
    return Promise.reject(Object.assign(new Error('10.0.0.1 is an address inside.'), { code: 'address_refused' }))
  }
  await expect(call({ ...context, fetch: guarded }, { url }, rules)).rejects.toMatchObject({
    kind: 'configuration',
    message: '10.0.0.1 is an address inside.',
    advice: expect.stringContaining('public internet'),
  })
  expect(asked).toBe(1)
})

test('answers for somebody who waits are held to a smaller size', async () => {
  const sizes: (number | undefined)[] = []
  const context = createTestContext({ simulator: async () => Response.json({}) })
  const watched = (interactiveLimits?: { maxRetryMs: number; maxBytes: number }) => ({
    ...context,
    ...(interactiveLimits && { interactiveLimits }),
    fetch: async (address: string, init: { maxBytes?: number } = {}) => {
      sizes.push(init.maxBytes)
      return await context.fetch(address, init)
    },
  })
  await call(watched(), { url }, { ...rules, maxBytes: 5000 })
  await call(watched({ maxRetryMs: 1, maxBytes: 1000 }), { url }, { ...rules, maxBytes: 5000 })
  await call(watched({ maxRetryMs: 1, maxBytes: 1000 }), { url }, { ...rules, maxBytes: 500 })
  expect(sizes).toEqual([5000, 1000, 500])
  const tooLarge = () => Promise.reject(Object.assign(new Error('too large'), { code: 'too_large' }))
  await expect(call({ ...context, fetch: tooLarge }, { url }, rules)).rejects.toMatchObject({
    kind: 'configuration',
    message: 'Shop answered with more than can be taken at once.',
  })
})
