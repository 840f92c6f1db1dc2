import type { SqlJob } from '@trellis/contract/sql/sql.schemas'
import { useEffect, useState } from 'react'

const TICK_MS = 1000

/** Since start, or creation while queued. Null once ended. */
export function useElapsed({ finished_at, started_at, created_at }: SqlJob): number | null {
  const isGoing = finished_at === null
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isGoing) return undefined
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [isGoing])
  return isGoing ? Math.max(0, Math.round((now - Date.parse(started_at ?? created_at)) / 1000)) : null
}
