import { type TestDatabase, createTestDatabase } from '@trellis/control-db/testing'
import { transaction } from '@trellis/control-db/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineJob } from './define-job.ts'
import { enqueue } from './enqueue.ts'

const payload = z.object({ id: z.number() })
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => await database.close())

async function queued(name: string) {
  const { rows } = await database.pool.query(
    'select data, singleton_key, start_after, retry_limit from jobs.job where name = $1 order by created_on, id',
    [name],
  )
  return rows
}

test('a job lands in a queue nobody has made yet, with the settings of its definition', async () => {
  const job = defineJob({ name: 'first.meet', payload, maxAttempts: 4, timeoutSeconds: 5 })
  const id = await enqueue(database, job, { id: 1 })
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
  expect(await queued('first.meet')).toMatchObject([{ data: { id: 1 }, retry_limit: 3 }])
})

test('a job of a rolled-back transaction never existed, nor does its queue', async () => {
  const job = defineJob({ name: 'rolled.back', payload, maxAttempts: 1, timeoutSeconds: 5 })
  const lost = transaction({ db: database.db }, async (ctx) => {
    await enqueue(ctx, job, { id: 1 })
    throw new Error('changed my mind')
  })
  await expect(lost).rejects.toThrow('changed my mind')
  expect(await queued('rolled.back')).toEqual([])
  await transaction({ db: database.db }, async (ctx) => {
    await enqueue(ctx, job, { id: 2 })
    expect(await queued('rolled.back')).toEqual([])
  })
  expect(await queued('rolled.back')).toMatchObject([{ data: { id: 2 } }])
})

test('the first jobs of many callers at once all land', async () => {
  const job = defineJob({ name: 'many.at-once', payload, maxAttempts: 1, timeoutSeconds: 5 })
  await Promise.all(
    Array.from({ length: 20 }, (_, id) => transaction({ db: database.db }, (ctx) => enqueue(ctx, job, { id }))),
  )
  expect(await queued('many.at-once')).toHaveLength(20)
})

test('a twin is refused without harming the transaction', async () => {
  const job = defineJob({ name: 'twin.check', payload, maxAttempts: 1, timeoutSeconds: 5, singleton: 'both' })
  await transaction({ db: database.db }, async (ctx) => {
    expect(await enqueue(ctx, job, { id: 1 }, { singletonKey: 'a' })).toBeDefined()
    expect(await enqueue(ctx, job, { id: 2 }, { singletonKey: 'a' })).toBeUndefined()
    expect(await enqueue(ctx, job, { id: 3 }, { singletonKey: 'b' })).toBeDefined()
  })
  expect((await queued('twin.check')).map((row) => row.data.id).toSorted()).toEqual([1, 3])
})

test('a job may wait for its time', async () => {
  const job = defineJob({ name: 'later.on', payload, maxAttempts: 1, timeoutSeconds: 5 })
  const runAt = new Date('2099-01-02T03:04:05Z')
  await enqueue(database, job, { id: 1 }, { runAt })
  expect(await queued('later.on')).toMatchObject([{ start_after: runAt }])
})

test('a payload that does not fit is refused before anything is written', async () => {
  const job = defineJob({ name: 'bad.payload', payload, maxAttempts: 1, timeoutSeconds: 5 })
  await expect(enqueue(database, job, { id: 'x' as unknown as number })).rejects.toThrow()
  expect(await queued('bad.payload')).toEqual([])
})

test('an account sees the queue too: its use cases enqueue in their own transaction', async () => {
  const job = defineJob({ name: 'tenant.work', payload, maxAttempts: 1, timeoutSeconds: 5 })
  const db = database.forAccount(12)
  await db.transaction().execute(async (open) => await enqueue({ db: open }, job, { id: 7 }))
  expect(await queued('tenant.work')).toMatchObject([{ data: { id: 7 } }])
})
