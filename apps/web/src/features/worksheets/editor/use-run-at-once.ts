import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { RunningQuery } from './use-running.ts'

/** Once: a reload shows the existing result. */
export function useRunAtOnce({ database, databases, choose, run }: RunningQuery, readText: () => string): void {
  const location = useLocation()
  const navigate = useNavigate()
  const requestedDatabase = readDatabase(location.state)
  const isKnown = databases.some(({ code }) => code === requestedDatabase)
  const hasRun = useRef(false)
  useEffect(() => {
    if (requestedDatabase === null || !isKnown || hasRun.current) return
    if (database !== requestedDatabase) {
      choose(requestedDatabase)
      return
    }
    hasRun.current = true
    const text = readText()
    run({ text, sql: text, offset: 0 })
    void navigate(location.pathname, { replace: true, state: null })
  }, [requestedDatabase, isKnown, database, choose, run, readText, navigate, location.pathname])
}

function readDatabase(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('runOn' in state)) return null
  return typeof state.runOn === 'string' ? state.runOn : null
}
