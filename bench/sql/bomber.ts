import { type Person, followQuery } from './client.ts'

export interface Order {
  readonly person: Person
  readonly sql: string
  readonly timeoutSeconds: number
  readonly atOnce: number
  /** Shorter bombs are repeated, as a p99 of a dozen queries would be its maximum. */
  readonly minMs: number
}

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
