import type { LogLine } from '@trellis/contract/runs/runs.schemas'
import type * as z from 'zod/mini'
import type { LogLevel } from '../run-words.ts'

export type Line = z.infer<typeof LogLine>

interface LogView {
  shown: readonly Line[]
  count: number
  counts: Readonly<Record<LogLevel, number>>
  /** Oldest lines dropped to keep the page usable. */
  dropped: number
  firstError: Line | undefined
}

export interface LogStore {
  append(lines: readonly Line[]): void
  setLevels(levels: ReadonlySet<LogLevel>): void
  last(): number
  view(): LogView
  subscribe(listener: () => void): () => void
}

const MAX_LINES = 200_000
/** Drops in batches: shifting the array for each line is too slow. */
const SLACK = 10_000

export function createLogStore(mostLines = MAX_LINES, slack = SLACK): LogStore {
  let all: Line[] = []
  let shown: Line[] = []
  let levels: ReadonlySet<LogLevel> = new Set(['INFO', 'DEBUG', 'WARNING', 'ERROR'])
  let dropped = 0
  let view: LogView | null = null
  const counts: Record<LogLevel, number> = { INFO: 0, DEBUG: 0, WARNING: 0, ERROR: 0 }
  const listeners = new Set<() => void>()
  const tell = () => {
    view = null
    for (const listener of listeners) listener()
  }
  const filter = () => {
    shown = all.filter((line) => levels.has(line.level))
  }
  return {
    append(lines) {
      let last = all.at(-1)?.number ?? -1
      for (const line of lines) {
        // A resumed stream may repeat lines.
        if (line.number <= last) continue
        last = line.number
        all.push(line)
        counts[line.level] += 1
        if (levels.has(line.level)) shown.push(line)
      }
      if (all.length > mostLines + slack) {
        const gone = all.length - mostLines
        for (const line of all.slice(0, gone)) counts[line.level] -= 1
        all = all.slice(gone)
        dropped += gone
        filter()
      }
      tell()
    },
    setLevels(next) {
      levels = next
      filter()
      tell()
    },
    last: () => all.at(-1)?.number ?? 0,
    view: () =>
      (view ??= {
        shown: shown.slice(),
        count: all.length,
        counts: { ...counts },
        dropped,
        firstError: counts.ERROR > 0 ? all.find(({ level }) => level === 'ERROR') : undefined,
      }),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function findLineIndex(lines: readonly Line[], number: number): number {
  let low = 0
  let high = lines.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lines[middle]?.number ?? 0) < number) low = middle + 1
    else high = middle
  }
  return low
}

export const formatLine = (line: Line): string =>
  `${line.at} ${line.level.padEnd(7)} ${line.subtask ? `[${line.subtask}] ` : ''}${line.message}`
