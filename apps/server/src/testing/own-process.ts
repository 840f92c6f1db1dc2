import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { TestApp } from './test-app.ts'

const COMPILED = fileURLToPath(new URL('../../../../node_modules/.cache/trellis', import.meta.url))

export const toScriptPath = (name: string): string => fileURLToPath(new URL(`./${name}.ts`, import.meta.url))

export const workerEnv = (app: TestApp): NodeJS.ProcessEnv => ({
  ...process.env,
  TRELLIS_HOME: app.config.home,
  TRELLIS_DATABASE_URL: app.database.url,
  TRELLIS_CLUSTER_URL: app.database.adminUrl,
  TRELLIS_LOG_LEVEL: 'silent',
  NODE_COMPILE_CACHE: COMPILED,
})

export async function killWhen(
  app: TestApp,
  [script, argument]: readonly [string, string],
  isSo: () => Promise<unknown>,
): Promise<void> {
  const child = spawn(process.execPath, [toScriptPath(script), argument], { stdio: 'ignore', env: workerEnv(app) })
  const gone = once(child, 'exit')
  try {
    await isSo()
    expect(child.exitCode, 'the worker was still at work').toBeNull()
  } finally {
    child.kill('SIGKILL')
    await gone
  }
}
