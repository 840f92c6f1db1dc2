import type { FlowRun } from '@trellis/contract/runs/flow-runs.schemas'
import { ChevronUp, ExternalLink } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { useSimulation } from '../../../running/running.queries.ts'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { useDataflowsScope } from '../../dataflows/dataflows.queries.ts'
import { useFlowRun, useFlowRunsBetween, type FlowRunsWanted } from '../flow-runs/flow-runs.queries.ts'
import type { NamedBlock } from '../list/RunFilters.tsx'
import { NoBlocks } from '../NoBlocks.tsx'
import { useBlocks } from '../runs.queries.ts'
import { Gantt } from './Gantt.tsx'
import { FLOW_ROW, flowRow, ganttRows, type GanttBar, type GanttInput, type GanttRow } from './gantt-rows.ts'
import { fitSpan, roundRange, SPANS, type Span, type TimeRange } from './gantt-scale.ts'
import { GanttTable } from './GanttTable.tsx'
import { GanttTools } from './GanttTools.tsx'
import styles from './gantt.module.css'
import { useTimeShown } from './use-time-shown.ts'

interface FlowGanttViewProps {
  dataflow: string
  blocks: readonly NamedBlock[]
  runsQuery: FlowRunsWanted
  onOpen: (run: string) => void
  firstStep: ReactNode
}

const FIT = { value: 'fit', label: 'One run' }
const NO_DETAILS = new Map<string, never>()

export default function FlowGanttView({ dataflow, blocks, runsQuery, onOpen, firstStep }: FlowGanttViewProps) {
  const { address, paths } = useDataflowsScope()
  const navigate = useNavigate()
  const time = useTimeShown()
  const { now, range, span, isFitted } = time
  const [unfolded, setUnfolded] = useState<string | null>(null)
  const [isTable, setTable] = useState(false)
  const query = useFlowRunsBetween(address, dataflow, { ...runsQuery, ...roundRange(range) })
  if (time.isUnset && query.data) {
    const due = query.data.runs.map((run) => ({ due_at: run.created_at }))
    time.showSpan(fitSpan(due, now), null)
  }
  const hasNoBlock = useBlocks(address, dataflow).data?.blocks.length === 0
  const simulation = useSimulation(address, blocks[0]?.task_block_trellis_code)
  const details = useFlowRun(address, unfolded)
  if (hasNoBlock) return <NoBlocks firstStep={firstStep} />

  const rows = buildRows({
    blocks,
    flowRuns: query.data?.runs ?? [],
    planned: simulation.data?.runs ?? [],
    runs: details.data?.runs ?? [],
    range,
    now,
  })
  const fold = () => {
    setUnfolded(null)
    time.showNow()
  }
  const toggle = (bar: GanttBar) => {
    if (bar.run.key === unfolded) return fold()
    setUnfolded(bar.run.key)
    return time.fit(bar)
  }
  const openFlowRun = (code: string) => void navigate(paths.flowRun(dataflow, code))
  return (
    <>
      <GanttTools
        value={isFitted ? FIT.value : span}
        options={isFitted ? [FIT, ...SPANS] : SPANS}
        isNow={time.isNow}
        isTable={isTable}
        onPan={time.pan}
        onNow={time.showNow}
        onZoom={time.zoom}
        onSpan={(value) => value !== FIT.value && time.showSpan(value as Span, null)}
        onTable={() => setTable(!isTable)}
      />
      {query.data?.isCut && (
        <Banner tone="info">More runs lie in this time than can be drawn. Zoom in to see the earlier ones.</Banner>
      )}
      {unfolded !== null && (
        <div className={styles.unfolded} role="group" aria-label="Unfolded run">
          <ButtonLink to={paths.flowRun(dataflow, unfolded)} icon={<ExternalLink aria-hidden />}>
            Open the run
          </ButtonLink>
          <Button icon={<ChevronUp aria-hidden />} onClick={fold}>
            Fold the blocks
          </Button>
          <span>{details.data?.because}</span>
        </div>
      )}
      <Loaded query={query} subject="The runs" skeletonHeights={[280]}>
        {() =>
          isTable ? (
            <GanttTable
              rows={rows}
              now={now}
              head="Run"
              onOpen={(run, row) => (row.code === FLOW_ROW ? openFlowRun(run) : onOpen(run))}
            />
          ) : (
            <Gantt
              rows={rows}
              range={range}
              now={now}
              unfolded={unfolded}
              onOpen={(bar, row) => (row.code === FLOW_ROW ? toggle(bar) : onOpen(bar.run.key))}
              onZoom={time.zoom}
              onPan={time.pan}
              onNow={time.showNow}
            />
          )
        }
      </Loaded>
    </>
  )
}

interface RowsInput extends Pick<GanttInput, 'planned' | 'runs'> {
  blocks: readonly NamedBlock[]
  flowRuns: readonly FlowRun[]
  range: TimeRange
  now: number
}

function buildRows({ blocks, flowRuns, planned, runs, range, now }: RowsInput): GanttRow[] {
  const starts = new Set(
    blocks.filter(({ waits_for: waits }) => waits.length === 0).map((block) => block.task_block_trellis_code),
  )
  const begins = planned.filter((run) => starts.has(run.task_block_trellis_code))
  const blockRows = ganttRows({ blocks, runs, planned: [], details: NO_DETAILS, range, now })
    .filter(({ code }) => runs.some((run) => run.task_block_trellis_code === code))
    .map((row) => ({ ...row, isBlock: true }))
  return [flowRow({ runs: flowRuns, planned: begins, range, now }), ...blockRows]
}
