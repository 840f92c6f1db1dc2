import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type TestDatabase, createTestDatabase } from '@trellis/control-db/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { enqueue } from './enqueue.ts'
import { handleJob, runJobs } from './run-jobs.ts'
import { hold } from './testing/hold-job.ts'

let database: TestDatabase
const folder = mkdtempSync(join(tmpdir(), 'trellis-jobs-'))

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

// pg-boss' default is 15 minutes. The timeout is for hangs.
test('the job of a killed worker goes to another worker within 30 seconds', { timeout: 90_000 }, async () => {
  const marker = join(folder, 'taken')
  const script = fileURLToPath(new URL('testing/killed-worker.ts', import.meta.url))
  await enqueue(database, hold, { id: 5 })
  const child = spawn(process.execPath, [script, database.url, marker], { stdio: 'ignore' })
  try {
    await vi.waitFor(() => expect(existsSync(marker)).toBe(true), { timeout: 30_000, interval: 50 })
  } finally {
    child.kill('SIGKILL')
  }
  const taken: { id: number; attempt: number }[] = []
  const runner = await runJobs({
    url: database.url,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    ctxFor: () => undefined,
    jobs: [
      handleJob(hold, async (_ctx, payload, run) => {
        taken.push({ id: payload.id, attempt: run.attempt })
      }),
    ],
  })
  try {
    await vi.waitFor(() => expect(taken).toEqual([{ id: 5, attempt: 2 }]), { timeout: 30_000, interval: 100 })
  } finally {
    await runner.stop()
  }
})
