import { type TestDatabase, createTestDatabase } from '@trellis/control-db/testing'
import { defineJob } from '@trellis/jobs/define-job'
import { enqueue } from '@trellis/jobs/enqueue'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { observeJob, observeRequest, renderMetrics, watchPool, watchQueues } from './metrics.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => await database.close())

test('requests and jobs are counted under their names', async () => {
  observeRequest({ endpoint: 'login', status: 200, seconds: 0.02 })
  observeRequest({ endpoint: 'login', status: 401, seconds: 0.3 })
  observeJob({ job: 'mail.send', outcome: 'done', seconds: 0.2 })
  const { contentType, body } = await renderMetrics()
  expect(contentType).toMatch(/^text\/plain/)
  expect(body).toContain('trellis_http_request_seconds_bucket{le="0.025",endpoint="login",status="200"} 1')
  expect(body).toContain('trellis_http_request_seconds_count{endpoint="login",status="401"} 1')
  expect(body).toContain('trellis_job_seconds_count{job="mail.send",outcome="done"} 1')
  expect(body).toContain('process_resident_memory_bytes')
})

test('a watched pool shows its connections at the moment of reading', async () => {
  watchPool('control', database.pool)
  const client = await database.pool.connect()
  try {
    expect((await renderMetrics()).body).toMatch(/trellis_pool_connections\{pool="control",state="busy"\} [1-9]/)
  } finally {
    client.release()
  }
})

test('queues show what waits in them, and the rest is still served without the database', async () => {
  watchQueues(database.pool)
  const job = defineJob({ name: 'metrics.sample', payload: z.object({}), maxAttempts: 1, timeoutSeconds: 1 })
  await enqueue(database, job, {})
  expect((await renderMetrics()).body).toContain('trellis_jobs{job="metrics.sample",state="ready"}')
  const removedTestDatabase = await createTestDatabase()
  watchQueues(removedTestDatabase.pool)
  await removedTestDatabase.close()
  const { body } = await renderMetrics()
  expect(body).not.toContain('metrics.sample')
  expect(body).toContain('process_resident_memory_bytes')
})
