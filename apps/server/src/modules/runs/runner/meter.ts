import type { Progress } from './run-work.ts'

interface Reading {
  readonly counters: Record<string, number>
  readonly has_progressed: boolean
}

export interface Meter {
  count(progress: Progress, subtask?: string): void
  committed(subtask?: string): void
  isDirty(): boolean
  read(): Reading
  /** Without rolled back work, which the next attempt counts again. */
  readCommitted(): Reading
}

const COUNTED = ['rows_read', 'rows_written', 'rows_updated', 'rows_rejected', 'bytes'] as const

export function makeMeter(before: Record<string, number>): Meter {
  const started = performance.now()
  const counters: Record<string, number> = { ...before }
  const pending = new Map<string, Progress[]>()
  const rowsBefore = countWritten(before)
  let isDirty = false
  let hasProgressed = false
  const summarize = (counted: Record<string, number>): Reading => {
    const rows = countWritten(counted) - rowsBefore
    const seconds = Math.max(0.1, (performance.now() - started) / 1000)
    counters['peak_memory_bytes'] = Math.max(counters['peak_memory_bytes'] ?? 0, process.memoryUsage.rss())
    const rates = {
      rows_per_second: Math.round(Math.max(rows, 0) / seconds),
      peak_memory_bytes: counters['peak_memory_bytes'],
    }
    return { counters: { ...counted, ...rates }, has_progressed: hasProgressed }
  }
  return {
    count: (progress, subtask = '') => {
      isDirty = true
      pending.set(subtask, [add({}, [...(pending.get(subtask) ?? []), progress])])
    },
    committed: (subtask) => {
      isDirty ||= !hasProgressed
      hasProgressed = true
      for (const name of subtask === undefined ? [...pending.keys()] : [subtask]) {
        add(counters, pending.get(name) ?? [])
        pending.delete(name)
      }
    },
    isDirty: () => isDirty,
    read: () => {
      isDirty = false
      return summarize(add({ ...counters }, [...pending.values()].flat()))
    },
    readCommitted: () => summarize({ ...counters }),
  }
}

const countWritten = (counters: Record<string, number>): number =>
  (counters['rows_written'] ?? 0) + (counters['rows_updated'] ?? 0)

function add(counters: Record<string, number>, parts: readonly Progress[]): Record<string, number> {
  for (const part of parts)
    for (const name of COUNTED) if (part[name] !== undefined) counters[name] = (counters[name] ?? 0) + part[name]
  return counters
}
