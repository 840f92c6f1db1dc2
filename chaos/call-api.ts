import type { Kept } from './promises.ts'

export interface ApiCalls {
  /** The first successful read and write since then; undefined if there was none. */
  firstAnswer(since: number): number | undefined
  /** Calls once more after the faults and returns the statistics. */
  finish(): Promise<Kept>
  stop(): Promise<void>
}

interface CallOptions {
  readonly url: string
  readonly token: () => string
  readonly isDown?: () => boolean
}

const PAUSE_MS = 50
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

export function keepCalling({ url, token, isDown = () => false }: CallOptions): ApiCalls {
  const statuses = new Map<number, number>()
  const faults: string[] = []
  const answered: number[] = []
  const state = { isOver: false }
  const ask = async (method: string, path: string, body?: object): Promise<number> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token()}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    await answer.arrayBuffer()
    if (answer.status === 503 && !answer.headers.has('retry-after') && !isDown()) {
      faults.push('A 503 had no Retry-After.')
    }
    return answer.status
  }
  const askBoth = async () => {
    const both = [await ask('GET', '/auth/identity'), await ask('PATCH', '/api/profile-token', { firstName: 'Chaos' })]
    for (const status of both) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (both.every((status) => status === 200)) answered.push(Date.now())
  }
  const calling = (async () => {
    while (!state.isOver) {
      const wasDown = isDown()
      await askBoth().catch((error: unknown) => {
        if (!wasDown && !isDown() && !state.isOver) faults.push(`A call got no answer: ${String(error)}`)
      })
      await sleep(PAUSE_MS)
    }
  })()
  return {
    firstAnswer: (since) => answered.find((at) => at >= since),
    finish: async () => {
      state.isOver = true
      await calling
      const last = await ask('GET', '/auth/identity').catch(() => 0)
      const said = [...statuses].map(([status, times]) => `${times} × ${status}`).join(', ')
      const odd = [...statuses.keys()].filter((status) => status !== 200 && status !== 503)
      return {
        says: `the API answered ${said}`,
        faults: [
          ...faults,
          ...odd.map((status) => `The API answered ${status}.`),
          ...(last === 200 ? [] : [`After it all the API answered ${last}.`]),
        ],
      }
    },
    stop: async () => {
      state.isOver = true
      await calling
    },
  }
}
