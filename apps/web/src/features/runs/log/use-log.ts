import { LOG_LEVELS } from '@trellis/contract/dataflows/dataflow-words'
import { followTaskRunLogs, getTaskRunLogs } from '@trellis/contract/runs/runs.endpoints'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { WorkspaceAddress } from '../../../api/workspace-address.ts'
import { apiQuery } from '../../../api/api-query.ts'
import { useEvents } from '../../../api/use-events.ts'
import type { LogLevel } from '../run-words.ts'
import { createLogStore, type Line } from './log-store.ts'

const DRAW_MS = 80
/** SQL is logged at DEBUG. */
const SHOWN_AT_FIRST: readonly LogLevel[] = LOG_LEVELS.filter((level) => level !== 'DEBUG')

/** One log per instance: use a `key` per run. */
export function useLog(address: WorkspaceAddress, run: string, { showsAll }: { showsAll: boolean }) {
  const [store] = useState(createLogStore)
  const [levels, setLevels] = useState<ReadonlySet<LogLevel>>(new Set(showsAll ? LOG_LEVELS : SHOWN_AT_FIRST))
  const waiting = useRef<Line[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => store.setLevels(levels), [store, levels])
  const view = useSyncExternalStore(store.subscribe, store.view)
  const flush = () => {
    timer.current = undefined
    store.append(waiting.current)
    waiting.current = []
  }
  const following = useEvents(
    followTaskRunLogs,
    { params: { ...address, task_run_trellis_code: run } },
    {
      ask: (call) => {
        const after = waiting.current.at(-1)?.number ?? store.last()
        return after > 0 ? { ...call, query: { after } } : call
      },
      onEvent: (event) => {
        if (event.type === 'over') {
          flush()
          return 'over'
        }
        waiting.current.push(...event.lines)
        timer.current ??= setTimeout(flush, DRAW_MS)
        return undefined
      },
    },
  )
  const toggle = (level: LogLevel) => {
    const next = new Set(levels)
    if (!next.delete(level)) next.add(level)
    setLevels(next)
  }
  return { view, levels, toggle, showAll: () => setLevels(new Set(LOG_LEVELS)), following }
}

const MAX_HITS = 1000

/** Searched on the server, in the whole log. */
export function useLogHits(address: WorkspaceAddress, run: string, search: string) {
  const query = apiQuery(getTaskRunLogs, {
    params: { ...address, task_run_trellis_code: run },
    query: { search, limit: MAX_HITS },
  })
  const { data, error, isFetching } = useQuery({
    ...query,
    enabled: search !== '',
    staleTime: 5000,
    placeholderData: keepPreviousData,
  })
  const lines = search === '' ? [] : (data?.lines ?? [])
  return { lines, error, isFetching, hasMore: lines.length >= MAX_HITS }
}
