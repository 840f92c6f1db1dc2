import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineJob } from './define-job.ts'
import { queueSettings } from './queue.ts'

const sample = { name: 'sample.do', payload: z.object({ id: z.number() }), maxAttempts: 3, timeoutSeconds: 10 }

test('a job has sensible defaults', () => {
  const job = defineJob(sample)
  expect(job).toMatchObject({ concurrency: 2, singleton: undefined, cron: undefined })
  expect(queueSettings(job)).toMatchObject({ policy: 'standard', retryLimit: 2, heartbeatSeconds: 10, notify: true })
})

test.each([
  ['a name without a feature', { name: 'sample' }],
  ['a name with capitals', { name: 'Sample.do' }],
  ['no attempts', { maxAttempts: 0 }],
  ['half an attempt', { maxAttempts: 1.5 }],
  ['no timeout', { timeoutSeconds: 0 }],
  ['a timeout beyond a day', { timeoutSeconds: 86_400 }],
  ['a timeout that is no number', { timeoutSeconds: Number.NaN }],
  ['a clock with a payload it cannot know', { cron: { expression: '* * * * *' } }],
])('%s is refused', (_, change) => {
  expect(() => defineJob({ ...sample, ...change })).toThrow(/Job/)
})

test('the time a dead worker costs stays within 30 seconds with the default backoff', () => {
  const { heartbeatSeconds = 0, retryDelay = 0 } = queueSettings(defineJob(sample))
  const supervision = 5
  const poll = 1
  expect(heartbeatSeconds + supervision + retryDelay * 2 + poll).toBeLessThan(30)
})
