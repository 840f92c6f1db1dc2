import type { Progress } from './run-work.ts'

export interface Meter {
  count(progress: Progress): void
  committed(): void
  /** Whether something was counted since it was last read. */
  isDirty(): boolean
  read(): { counters: Record<string, number>; has_progressed: boolean }
}

const COUNTED = ['rows_read', 'rows_written', 'rows_updated', 'rows_rejected', 'bytes'] as const

/** Adds up what an attempt does. What earlier attempts committed stays counted. */
export function makeMeter(before: Record<string, number>): Meter {
  const started = performance.now()
  const counters: Record<string, number> = { ...before }
  const rowsBefore = (before['rows_written'] ?? 0) + (before['rows_updated'] ?? 0)
  let isDirty = false
  let hasProgressed = false
  return {
    count: (progress) => {
      isDirty = true
      for (const name of COUNTED) counters[name] = (counters[name] ?? 0) + (progress[name] ?? 0)
    },
    committed: () => {
      isDirty ||= !hasProgressed
      hasProgressed = true
    },
    isDirty: () => isDirty,
    read: () => {
      isDirty = false
      const rows = (counters['rows_written'] ?? 0) + (counters['rows_updated'] ?? 0) - rowsBefore
      const seconds = Math.max(0.001, (performance.now() - started) / 1000)
      counters['rows_per_second'] = Math.round(Math.max(rows, 0) / Math.max(seconds, 0.1))
      counters['peak_memory_bytes'] = Math.max(counters['peak_memory_bytes'] ?? 0, process.memoryUsage.rss())
      return { counters: { ...counters }, has_progressed: hasProgressed }
    },
  }
}
