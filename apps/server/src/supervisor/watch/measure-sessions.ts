import { type ProcessLoad, readProcessLoad } from '@trellis/embedded/postgres/process-load'
import type { WatchedSession } from '@trellis/workspace-db/watch/watched-sessions'

export interface MeasuredSession {
  readonly pid: number
  readonly database: string
  readonly isExternal: boolean
  /** Of the session and the processes that work for it; empty on systems without /proc. */
  readonly processes: readonly (ProcessLoad & { readonly pid: number })[]
  readonly memoryBytes: number
}

export function measureSessions(sessions: readonly WatchedSession[]): MeasuredSession[] {
  return sessions.map(({ pid, workers, database, isExternal }) => {
    const processes = [pid, ...workers].flatMap((one) => {
      const load = readProcessLoad(one)
      return load ? [{ pid: one, ...load }] : []
    })
    return { pid, database, isExternal, processes, memoryBytes: sum(processes.map(({ memoryBytes }) => memoryBytes)) }
  })
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
