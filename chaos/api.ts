import { fork } from 'node:child_process'
import { join } from 'node:path'
import { findFreePort } from '@trellis/embedded/postgres/free-port'
import { signInForBench } from '../bench/sign-in.ts'
import { type ApiCalls, keepCalling } from './call-api.ts'
import type { World } from './world.ts'

/** One API process for the whole time, through the proxy. It must never exit. */
export async function keepCallingApi(world: World): Promise<Pick<ApiCalls, 'finish' | 'stop'>> {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const api = fork(join(import.meta.dirname, '../bench/api-server.ts'), {
    env: { ...process.env, ...world.env, TRELLIS_PORT: String(port), TRELLIS_DEMO: 'off', TRELLIS_RATE_LIMITS: 'off' },
    stdio: 'ignore',
  })
  await new Promise<void>((resolve, reject) => {
    api.once('message', () => resolve())
    api.once('exit', () => reject(new Error('The API did not start.')))
  })
  const exits: string[] = []
  api.once('exit', (code, signal) => exits.push(signal ?? String(code)))
  const { token } = await signInForBench(url, world.controlUrl)
  const calls = keepCalling({ url, token: () => token, isDown: () => exits.length > 0 })
  return {
    finish: async () => {
      const { says, faults } = await calls.finish()
      return {
        says: `${says} and ended ${exits.length} times`,
        faults: [...faults, ...exits.map((reason) => `The API ended by itself: ${reason}.`)],
      }
    },
    stop: async () => {
      api.kill('SIGKILL')
      await calls.stop()
    },
  }
}
