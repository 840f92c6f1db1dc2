import { ChevronUp, ExternalLink } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { useSimulation } from '../../../running/running.queries.ts'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { useDataflowsPlace } from '../../dataflows/dataflows.queries.ts'
import { useFlowRun, useFlowRunsBetween, type FlowRunsWanted } from '../flow-runs/flow-runs.queries.ts'
import type { NamedBlock } from '../list/RunFilters.tsx'
import { NoBlocks } from '../NoBlocks.tsx'
import { useBlocks } from '../runs.queries.ts'
import { useNow } from '../use-now.ts'
import { Gantt } from './Gantt.tsx'
import { FLOW_ROW, flowRow, ganttRows, type GanttBar } from './gantt-rows.ts'
import { fitSpan, fitStretch, nextSpan, roundRange, SPANS, stretchOf, zoomStretch } from './gantt-scale.ts'
import type { Span, Stretch } from './gantt-scale.ts'
import { GanttTable } from './GanttTable.tsx'
import { GanttTools } from './GanttTools.tsx'
import styles from './gantt.module.css'

interface FlowGanttViewProps {
  dataflow: string
  blocks: readonly NamedBlock[]
  wanted: FlowRunsWanted
  onOpen: (run: string) => void
  firstStep: ReactNode
}

const HOUR = 3_600_000
const FIT = { value: 'fit', label: 'One run' }
const NO_DETAILS = new Map<string, never>()

/** Runs of the flow over time, one bar each. A bar unfolds to its blocks, in the order of the flow and a scale that fits it. */
export default function FlowGanttView({ dataflow, blocks, wanted, onOpen, firstStep }: FlowGanttViewProps) {
  const { address, paths } = useDataflowsPlace()
  const navigate = useNavigate()
  const [chosen, setSpan] = useState<Span | null>(null)
  const [end, setEnd] = useState<number | null>(null)
  const [fitted, setFitted] = useState<Stretch | null>(null)
  const [unfolded, setUnfolded] = useState<string | null>(null)
  const [isTable, setTable] = useState(false)
  const span = chosen ?? '1d'
  const now = useNow(span === '1h' || fitted ? 1000 : 5000)
  const stretch = fitted ?? stretchOf(span, end, now)
  const query = useFlowRunsBetween(address, dataflow, { ...wanted, ...roundRange(stretch) })
  if (chosen === null && query.data)
    setSpan(
      fitSpan(
        query.data.runs.map((run) => ({ due_at: run.created_at })),
        now,
      ),
    )
  const hasNoBlock = useBlocks(address, dataflow).data?.blocks.length === 0
  const simulation = useSimulation(address, blocks[0]?.task_block_trellis_code)
  const details = useFlowRun(address, unfolded)
  if (hasNoBlock) return <NoBlocks firstStep={firstStep} />

  const starts = new Set(
    blocks.filter(({ waits_for: waits }) => waits.length === 0).map((one) => one.task_block_trellis_code),
  )
  const planned = (simulation.data?.runs ?? []).filter((one) => starts.has(one.task_block_trellis_code))
  const flow = flowRow({ runs: query.data?.runs ?? [], planned, stretch, now })
  const ownRuns = unfolded === null ? [] : (details.data?.runs ?? [])
  const blockRows = ganttRows({ blocks, runs: ownRuns, planned: [], details: NO_DETAILS, stretch, now })
    .filter(({ code }) => ownRuns.some((run) => run.task_block_trellis_code === code))
    .map((row) => ({ ...row, isBlock: true }))
  const rows = [flow, ...blockRows]

  const showNow = () => {
    setFitted(null)
    setEnd(null)
  }
  const chooseSpan = (value: Span, until: number | null) => {
    setFitted(null)
    setSpan(value)
    setEnd(until)
  }
  const pan = (part: number) => {
    const width = stretch.to - stretch.from
    if (fitted) return setFitted({ from: fitted.from + part * width, to: fitted.to + part * width })
    return setEnd(Math.min(now + width, stretch.to + part * width))
  }
  const zoom = (step: 1 | -1) => {
    if (!fitted) return setSpan(nextSpan(span, step))
    const next = zoomStretch(fitted, step)
    return next.to - next.from < HOUR ? setFitted(next) : chooseSpan('1h', Math.min(now + 0.2 * HOUR, next.to))
  }
  const toggle = (bar: GanttBar) => {
    const isOpen = bar.run.key === unfolded
    setUnfolded(isOpen ? null : bar.run.key)
    setFitted(isOpen ? null : fitStretch(bar))
    if (!isOpen) setEnd(Math.min(now + 0.2 * HOUR, bar.to + 0.2 * HOUR))
  }
  const fold = () => {
    setUnfolded(null)
    showNow()
  }
  const openFlowRun = (code: string) => void navigate(paths.flowRun(dataflow, code))
  return (
    <>
      <GanttTools
        value={fitted ? FIT.value : span}
        options={fitted ? [FIT, ...SPANS] : SPANS}
        isNow={fitted === null && end === null}
        isTable={isTable}
        onPan={pan}
        onNow={showNow}
        onZoom={zoom}
        onSpan={(value) => value !== FIT.value && chooseSpan(value as Span, null)}
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
      <Loaded query={query} what="The runs" ghosts={[280]}>
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
              stretch={stretch}
              now={now}
              unfolded={unfolded}
              onOpen={(bar, row) => (row.code === FLOW_ROW ? toggle(bar) : onOpen(bar.run.key))}
              onZoom={zoom}
              onPan={pan}
              onNow={showNow}
            />
          )
        }
      </Loaded>
    </>
  )
}
