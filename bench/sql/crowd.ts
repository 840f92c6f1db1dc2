/** Clients without pauses in a separate process, until stopped. */
import { once } from 'node:events'
import { followQuery, type Place } from './client.ts'

interface Order {
  readonly url: string
  readonly place: Place
  readonly sql: string
}

const [{ url, place, sql }] = (await once(process, 'message')) as [Order]
const state = { isOver: false, done: 0 }
process.once('message', () => (state.isOver = true))

async function runOn(token: string): Promise<void> {
  while (!state.isOver) {
    await followQuery({ url, place, token }, sql, { timeout_seconds: 60 })
    state.done += 1
  }
}

await Promise.all(place.tokens.map((token) => runOn(token)))
process.send?.(state.done, () => process.exit())
