import type { TaskRunDetails } from '@trellis/contract/runs/runs.schemas'
import { useQueries } from '@tanstack/react-query'
import { useMemo, useState, type ReactNode } from 'react'
import type { WorkspaceAddress } from '../../../api/workspace-address.ts'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import type { NamedBlock } from '../list/RunFilters.tsx'
import type { RunsWanted } from '../live-runs.ts'
import { NoBlocks } from '../NoBlocks.tsx'
import { runQuery, useBlocks, useRunsBetween } from '../runs.queries.ts'
import { useSimulation } from '../../../running/running.queries.ts'
import { useNow } from '../use-now.ts'
import { Gantt } from './Gantt.tsx'
import { ganttRows } from './gantt-rows.ts'
import { fitSpan, getNextSpan, roundRange, SPANS, toTimeRange, type Span } from './gantt-scale.ts'
import { GanttTable } from './GanttTable.tsx'
import { GanttTools } from './GanttTools.tsx'

interface GanttViewProps {
  address: WorkspaceAddress
  dataflow: string
  blocks: readonly NamedBlock[]
  runsQuery: RunsWanted
  onOpen: (run: string) => void
  firstStep: ReactNode
}

/** Attempts are fetched only for runs wide enough to show them. */
const MAX_DETAILED_RUNS = 20
const WORTH = 0.02

export default function GanttView({ address, dataflow, blocks, runsQuery, onOpen, firstStep }: GanttViewProps) {
  const [selected, setSpan] = useState<Span | null>(null)
  const span = selected ?? '1d'
  const [end, setEnd] = useState<number | null>(null)
  const [isTable, setTable] = useState(false)
  const now = useNow(span === '1h' ? 1000 : 5000)
  const range = toTimeRange(span, end, now)
  const query = useRunsBetween(address, dataflow, { ...runsQuery, ...roundRange(range) })
  if (selected === null && query.data) setSpan(fitSpan(query.data.runs, now))
  const hasNoBlock = useBlocks(address, dataflow).data?.blocks.length === 0
  const simulation = useSimulation(address, blocks[0]?.task_block_trellis_code)
  const runs = useMemo(() => query.data?.runs ?? [], [query.data])
  const least = (range.to - range.from) * WORTH
  const wide = runs
    .filter(
      (run) =>
        run.started_at &&
        Date.parse(run.finished_at ?? new Date(now).toISOString()) - Date.parse(run.started_at) > least,
    )
    .slice(0, MAX_DETAILED_RUNS)
  const details = useQueries({
    queries: wide.map((run) => runQuery(address, run.task_run_trellis_code)),
    combine: (all) =>
      new Map(
        all.flatMap(({ data }): [string, TaskRunDetails][] => (data ? [[data.task_run_trellis_code, data]] : [])),
      ),
  })
  const wantedBlock = runsQuery.task_block_trellis_code
  const shownBlocks = wantedBlock ? blocks.filter((block) => block.task_block_trellis_code === wantedBlock) : blocks
  const plannedRuns = (simulation.data?.runs ?? []).filter(
    (run) => wantedBlock === undefined || run.task_block_trellis_code === wantedBlock,
  )
  const rows = ganttRows({ blocks: shownBlocks, runs, planned: plannedRuns, details, range, now })
  const pan = (part: number) => {
    const width = range.to - range.from
    setEnd(Math.min(now + width, range.to + part * width))
  }
  if (hasNoBlock) return <NoBlocks firstStep={firstStep} />
  return (
    <>
      <GanttTools
        value={span}
        options={SPANS}
        isNow={end === null}
        isTable={isTable}
        onPan={pan}
        onNow={() => setEnd(null)}
        onZoom={(step) => setSpan(getNextSpan(span, step))}
        onSpan={(value) => setSpan(value as Span)}
        onTable={() => setTable(!isTable)}
      />
      {query.data?.isCut && (
        <Banner tone="info">More runs lie in this time than can be drawn. Zoom in to see the earlier ones.</Banner>
      )}
      <Loaded query={query} subject="The runs" skeletonHeights={[280]}>
        {() =>
          isTable ? (
            <GanttTable rows={rows} now={now} head="Block" onOpen={onOpen} />
          ) : (
            <Gantt
              rows={rows}
              range={range}
              now={now}
              onOpen={(bar) => onOpen(bar.run.key)}
              onZoom={(step) => setSpan(getNextSpan(span, step))}
              onPan={pan}
              onNow={() => setEnd(null)}
            />
          )
        }
      </Loaded>
    </>
  )
}
