import type { Filter } from '@trellis/contract/explorer/filters'
import { useEffect, useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { formatCount, formatEstimate, wholeNumber } from '../../../ui/data/amounts.ts'
import type { TableAddress } from '../explorer-paths.ts'
import { useExactCount } from '../rows.queries.ts'
import { useExplorer } from '../use-explorer.ts'

interface RowCountProps {
  address: TableAddress
  filters: readonly Filter[]
  loaded: number
  hasMore: boolean
  estimate: number | null
}

/** Exact when all rows are loaded, else the planner's estimate until counted. */
export function RowCount({ address, filters, loaded, hasMore, estimate }: RowCountProps) {
  const { params } = useExplorer()
  const { counting, start, cancel } = useExactCount(params, address, filters)
  if (!hasMore) return <span role="status">{formatCount(loaded, 'row')}</span>
  return (
    <>
      <span role="status">
        {counting.state === 'counted'
          ? `${formatCount(counting.rows, 'row')}, ${wholeNumber(loaded)} loaded`
          : filters.length > 0 || estimate === null
            ? `${wholeNumber(loaded)} rows loaded, there are more`
            : `${formatEstimate(Math.max(estimate, loaded))} rows, ${wholeNumber(loaded)} loaded`}
      </span>
      {counting.state === 'counting' ? (
        <>
          <Elapsed since={counting.since} />
          <Button size="sm" onClick={cancel}>
            Cancel
          </Button>
        </>
      ) : (
        counting.state !== 'counted' && (
          <Button size="sm" variant="ghost" onClick={start}>
            Count exactly
          </Button>
        )
      )}
      {counting.state === 'failed' && <span role="alert">{counting.problem}</span>}
    </>
  )
}

function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(since)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  return <span>Counting, {Math.floor(Math.max(0, now - since) / 1000)} s</span>
}
