import { readMemory } from '@trellis/embedded/postgres/process-load'
import type { WatchedSession } from '@trellis/workspace-db/watch/watched-sessions'

export interface MeasuredSession {
  readonly pid: number
  readonly database: string
  /** Includes parallel workers; 0 without /proc. */
  readonly memoryBytes: number
}

export function measureSessions(sessions: readonly WatchedSession[]): MeasuredSession[] {
  return sessions.map(({ pid, workers, database }) => ({
    pid,
    database,
    memoryBytes: sum([pid, ...workers].map((item) => readMemory(item))),
  }))
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
