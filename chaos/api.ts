import { fork } from 'node:child_process'
import { join } from 'node:path'
import { findFreePort } from '@trellis/embedded/postgres/free-port'
import { signInForBench } from '../bench/sign-in.ts'
import type { Kept } from './promises.ts'
import type { World } from './world.ts'

/** One API process for the whole time, called without a pause. */
export interface CalledApi {
  /** Asks once more, now that nothing breaks, and tells what was answered in all that time. */
  finish(): Promise<Kept>
  stop(): Promise<void>
}

const PAUSE_MS = 50
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Through the proxy, like the workers. It must never end: calls are answered, or refused with a time to come back. */
export async function keepCallingApi(world: World): Promise<CalledApi> {
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
  const statuses = new Map<number, number>()
  const faults: string[] = []
  const { token } = await signInForBench(url, world.controlUrl)
  const state = { isOver: false }
  const ask = async (method: string, path: string, body?: object): Promise<number> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    await answer.arrayBuffer()
    if (answer.status === 503 && !answer.headers.has('retry-after')) faults.push('A 503 had no Retry-After.')
    return answer.status
  }
  const askBoth = async () => {
    for (const status of [
      await ask('GET', '/auth/identity'),
      await ask('PATCH', '/api/profile-token', { firstName: 'Chaos' }),
    ]) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  const calling = (async () => {
    while (!state.isOver && exits.length === 0) {
      await askBoth().catch((error: unknown) => faults.push(`A call got no answer: ${String(error)}`))
      await sleep(PAUSE_MS)
    }
  })()
  return {
    finish: async () => {
      state.isOver = true
      await calling
      const last = await ask('GET', '/auth/identity').catch(() => 0)
      const said = [...statuses].map(([status, times]) => `${times} × ${status}`).join(', ')
      const odd = [...statuses.keys()].filter((status) => status !== 200 && status !== 503)
      return {
        says: `the API answered ${said} and ended ${exits.length} times`,
        faults: [
          ...faults,
          ...exits.map((reason) => `The API ended by itself: ${reason}.`),
          ...odd.map((status) => `The API answered ${status}.`),
          ...(last === 200 ? [] : [`After it all the API answered ${last}.`]),
        ],
      }
    },
    stop: async () => {
      state.isOver = true
      api.kill('SIGKILL')
      await calling
    },
  }
}
