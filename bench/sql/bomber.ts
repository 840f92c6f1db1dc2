/** Throws bombs in a process of its own, as whoever throws them has a machine of their own; ends with whoever told it to. */
import { type Person, followQuery } from './client.ts'

export interface Order {
  readonly person: Person
  readonly sql: string
  readonly timeoutSeconds: number
  readonly atOnce: number
  /** A bomb that ends sooner is thrown again: of a dozen queries the slowest would be the p99. */
  readonly minMs: number
}

/** How long the slowest took, in seconds. */
async function explode({ person, sql, timeoutSeconds, atOnce, minMs }: Order): Promise<number> {
  const began = performance.now()
  let slowest = 0
  while (performance.now() - began < minMs) {
    const threw = performance.now()
    const more = { timeout_seconds: timeoutSeconds, keep_running: true }
    await Promise.all(Array.from({ length: atOnce }, () => followQuery(person, sql, more)))
    slowest = Math.max(slowest, (performance.now() - threw) / 1000)
  }
  return slowest
}

process.on('message', (order: Order) => void explode(order).then((seconds) => process.send?.(seconds)))
process.on('disconnect', () => process.exit())
