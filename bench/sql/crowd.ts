/** People who never pause, in a process of their own as they have machines of their own: until told to stop. */
import { followQuery, type Place } from './client.ts'

interface Order {
  readonly url: string
  readonly place: Place
  readonly sql: string
}

process.once('message', async ({ url, place, sql }: Order) => {
  const state = { isOver: false, done: 0 }
  process.once('message', () => (state.isOver = true))
  const work = async (token: string) => {
    while (!state.isOver) {
      await followQuery({ url, place, token }, sql, { timeout_seconds: 60 })
      state.done += 1
    }
  }
  await Promise.all(place.tokens.map((token) => work(token)))
  process.send?.(state.done, () => process.exit())
})
