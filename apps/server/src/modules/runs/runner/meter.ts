import type { LoadTotals, Progress } from './run-work.ts'

interface MeterReading {
  readonly counters: Record<string, number>
  readonly has_progressed: boolean
}

export interface Meter {
  count(progress: Progress, subtask?: string): void
  markCommitted(subtask?: string): void
  /** What the load has committed, including what no heartbeat reported before its worker was killed. */
  setLoadTotals(totals: LoadTotals, subtask: string): void
  isDirty(): boolean
  /** For people: with what is not committed yet. */
  read(): MeterReading
  /** For the next attempt too: it begins with what was committed. */
  readSaved(): MeterReading
  /** Without rolled back work, which the next attempt counts again. */
  readCommitted(): MeterReading
}

const COUNTER_NAMES = ['rows_read', 'rows_written', 'rows_updated', 'rows_rejected', 'bytes'] as const
const LOAD_COUNTER_NAMES = ['rows_read', 'rows_written', 'rows_updated', 'rows_rejected'] as const

/** Saved beside the counters: the sums that are committed, and those of each load. */
const toSumKey = (name: string): string => `committed:${name}`
const toLoadKey = (subtask: string, name: string): string => `load:${subtask}:${name}`

interface MeterOptions {
  /** No other run has loaded for the same chain of retries. */
  readonly isFirst?: boolean
}

export function createMeter(savedCounters: Record<string, number>, { isFirst = false }: MeterOptions = {}): Meter {
  const startedAt = performance.now()
  const memoryBefore = process.memoryUsage.rss()
  const hasSavedSums = Object.hasOwn(savedCounters, toSumKey('rows_read'))
  const counters = getCommittedCounters(savedCounters, hasSavedSums)
  // Counters of a version that saved no sums of loads may have them in already.
  const areLoadsCounted = !isFirst || (!hasSavedSums && countWrittenRows(savedCounters) > 0)
  const loadSums = new Map(Object.entries(savedCounters).filter(([name]) => name.startsWith('load:')))
  const uncommitted = new Map<string, Progress[]>()
  const rowsAtStart = countWrittenRows(counters)
  let isDirty = false
  let hasProgressed = false
  const summarize = (counted: Record<string, number>): MeterReading => {
    const rows = countWrittenRows(counted) - rowsAtStart
    const seconds = Math.max(0.1, (performance.now() - startedAt) / 1000)
    const addedBytes = process.memoryUsage.rss() - memoryBefore
    counters['peak_memory_bytes'] = Math.max(counters['peak_memory_bytes'] ?? 0, addedBytes)
    const rates = {
      rows_per_second: Math.round(Math.max(rows, 0) / seconds),
      peak_memory_bytes: counters['peak_memory_bytes'],
    }
    return { counters: { ...counted, ...rates }, has_progressed: hasProgressed }
  }
  const readAll = (): MeterReading => {
    isDirty = false
    return summarize(addProgress({ ...counters }, [...uncommitted.values()].flat()))
  }
  const withSavedSums = ({ counters: shownCounters, ...reading }: MeterReading): MeterReading => {
    const sums = COUNTER_NAMES.map((name) => [toSumKey(name), counters[name] ?? 0])
    return { ...reading, counters: { ...shownCounters, ...Object.fromEntries([...sums, ...loadSums]) } }
  }
  return {
    count: (progress, subtask = '') => {
      isDirty = true
      uncommitted.set(subtask, [addProgress({}, [...(uncommitted.get(subtask) ?? []), progress])])
    },
    markCommitted: (subtask) => {
      isDirty ||= !hasProgressed
      hasProgressed = true
      for (const name of subtask === undefined ? [...uncommitted.keys()] : [subtask]) {
        const progressParts = uncommitted.get(name) ?? []
        addProgress(counters, progressParts)
        addToLoadSums(loadSums, name, progressParts)
        uncommitted.delete(name)
      }
    },
    setLoadTotals: (totals, subtask) => {
      isDirty = true
      for (const name of LOAD_COUNTER_NAMES) {
        const key = toLoadKey(subtask, name)
        const knownTotal = loadSums.get(key) ?? (areLoadsCounted ? totals[name] : 0)
        // Rows of an earlier run of the chain that were taken out were never counted here.
        counters[name] = Math.max(0, (counters[name] ?? 0) + totals[name] - knownTotal)
        loadSums.set(key, totals[name])
      }
    },
    isDirty: () => isDirty,
    read: readAll,
    readSaved: () => withSavedSums(readAll()),
    readCommitted: () => withSavedSums(summarize({ ...counters })),
  }
}

function getCommittedCounters(savedCounters: Record<string, number>, hasSavedSums: boolean): Record<string, number> {
  const sums = COUNTER_NAMES.map((name) => [name, savedCounters[hasSavedSums ? toSumKey(name) : name] ?? 0])
  return { ...Object.fromEntries(sums), peak_memory_bytes: savedCounters['peak_memory_bytes'] ?? 0 }
}

function addToLoadSums(loadSums: Map<string, number>, subtask: string, progressParts: readonly Progress[]): void {
  for (const name of LOAD_COUNTER_NAMES) {
    const key = toLoadKey(subtask, name)
    const knownTotal = loadSums.get(key)
    if (knownTotal !== undefined)
      loadSums.set(
        key,
        progressParts.reduce((sum, part) => sum + (part[name] ?? 0), knownTotal),
      )
  }
}

const countWrittenRows = (counters: Record<string, number>): number =>
  (counters['rows_written'] ?? 0) + (counters['rows_updated'] ?? 0)

function addProgress(counters: Record<string, number>, progressParts: readonly Progress[]): Record<string, number> {
  for (const part of progressParts)
    for (const name of COUNTER_NAMES) if (part[name] !== undefined) counters[name] = (counters[name] ?? 0) + part[name]
  return counters
}
