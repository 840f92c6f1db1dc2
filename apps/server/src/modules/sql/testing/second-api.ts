import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { workerEnv } from '../../../testing/own-process.ts'
import type { TestApp } from '../../../testing/test-app.ts'

const SCRIPT = fileURLToPath(new URL('./api-worker.ts', import.meta.url))

export async function startSecondApi(app: TestApp): Promise<{ url: string; stop: () => Promise<void> }> {
  const child = fork(SCRIPT, { env: { ...workerEnv(app), TRELLIS_RATE_LIMITS: 'off' }, execArgv: [] })
  const gone = once(child, 'exit')
  const failed = gone.then(() => {
    throw new Error('The second API process ended.')
  })
  failed.catch(() => undefined)
  const [url] = (await Promise.race([once(child, 'message'), failed])) as [string]
  return {
    url,
    stop: async () => {
      child.kill('SIGKILL')
      await gone
    },
  }
}
