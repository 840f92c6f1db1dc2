import type { LoadTotals, Progress } from './run-work.ts'

interface MeterReading {
  readonly counters: Record<string, number>
  readonly has_progressed: boolean
}

export interface Meter {
  count(progress: Progress, subtask?: string): void
  committed(subtask?: string): void
  /** What the load has committed, including what no heartbeat reported before its worker was killed. */
  resumed(totals: LoadTotals, subtask: string): void
  isDirty(): boolean
  /** For people: with what is not committed yet. */
  read(): MeterReading
  /** For the next attempt too: it begins with what was committed. */
  readSaved(): MeterReading
  /** Without rolled back work, which the next attempt counts again. */
  readCommitted(): MeterReading
}

const COUNTED = ['rows_read', 'rows_written', 'rows_updated', 'rows_rejected', 'bytes'] as const
const LOADED = ['rows_read', 'rows_written', 'rows_updated', 'rows_rejected'] as const

/** Saved beside the counters: the sums that are committed, and those of each load. */
const toSumKey = (name: string): string => `committed:${name}`
const toLoadKey = (subtask: string, name: string): string => `load:${subtask}:${name}`

interface MeterOptions {
  /** No other run has loaded for the same chain of retries. */
  readonly isFirst?: boolean
}

export function createMeter(before: Record<string, number>, { isFirst = false }: MeterOptions = {}): Meter {
  const started = performance.now()
  const memoryBefore = process.memoryUsage.rss()
  const isSaved = Object.hasOwn(before, toSumKey('rows_read'))
  const counters = findCommitted(before, isSaved)
  // Counters of a version that saved no sums of loads may have them in already.
  const isCounted = !isFirst || (!isSaved && countWritten(before) > 0)
  const loads = new Map(Object.entries(before).filter(([name]) => name.startsWith('load:')))
  const pending = new Map<string, Progress[]>()
  const rowsBefore = countWritten(counters)
  let isDirty = false
  let hasProgressed = false
  const summarize = (counted: Record<string, number>): MeterReading => {
    const rows = countWritten(counted) - rowsBefore
    const seconds = Math.max(0.1, (performance.now() - started) / 1000)
    const added = process.memoryUsage.rss() - memoryBefore
    counters['peak_memory_bytes'] = Math.max(counters['peak_memory_bytes'] ?? 0, added)
    const rates = {
      rows_per_second: Math.round(Math.max(rows, 0) / seconds),
      peak_memory_bytes: counters['peak_memory_bytes'],
    }
    return { counters: { ...counted, ...rates }, has_progressed: hasProgressed }
  }
  const read = (): MeterReading => {
    isDirty = false
    return summarize(add({ ...counters }, [...pending.values()].flat()))
  }
  const save = ({ counters: shown, ...reading }: MeterReading): MeterReading => {
    const sums = COUNTED.map((name) => [toSumKey(name), counters[name] ?? 0])
    return { ...reading, counters: { ...shown, ...Object.fromEntries([...sums, ...loads]) } }
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
        const parts = pending.get(name) ?? []
        add(counters, parts)
        addToLoad(loads, name, parts)
        pending.delete(name)
      }
    },
    resumed: (totals, subtask) => {
      isDirty = true
      for (const name of LOADED) {
        const key = toLoadKey(subtask, name)
        const known = loads.get(key) ?? (isCounted ? totals[name] : 0)
        // Rows of an earlier run of the chain that were taken out were never counted here.
        counters[name] = Math.max(0, (counters[name] ?? 0) + totals[name] - known)
        loads.set(key, totals[name])
      }
    },
    isDirty: () => isDirty,
    read,
    readSaved: () => save(read()),
    readCommitted: () => save(summarize({ ...counters })),
  }
}

function findCommitted(before: Record<string, number>, isSaved: boolean): Record<string, number> {
  const sums = COUNTED.map((name) => [name, before[isSaved ? toSumKey(name) : name] ?? 0])
  return { ...Object.fromEntries(sums), peak_memory_bytes: before['peak_memory_bytes'] ?? 0 }
}

function addToLoad(loads: Map<string, number>, subtask: string, parts: readonly Progress[]): void {
  for (const name of LOADED) {
    const key = toLoadKey(subtask, name)
    const known = loads.get(key)
    if (known !== undefined)
      loads.set(
        key,
        parts.reduce((sum, part) => sum + (part[name] ?? 0), known),
      )
  }
}

const countWritten = (counters: Record<string, number>): number =>
  (counters['rows_written'] ?? 0) + (counters['rows_updated'] ?? 0)

function add(counters: Record<string, number>, parts: readonly Progress[]): Record<string, number> {
  for (const part of parts)
    for (const name of COUNTED) if (part[name] !== undefined) counters[name] = (counters[name] ?? 0) + part[name]
  return counters
}
