import type { Canvas, BlockCard } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { TaskRun } from '@trellis/contract/runs/runs.schemas'
import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react'
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { formatDuration } from '../../../ui/data/durations.ts'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { shortCount } from '../../../ui/data/amounts.ts'
import { useDataflowsScope } from '../../dataflows/dataflows.queries.ts'
import { NoBlocks } from '../NoBlocks.tsx'
import { RunStatus } from '../RunStatus.tsx'
import { isOpenRun, getDurationMs } from '../run-words.ts'
import { useBlocks, useRuns } from '../runs.queries.ts'
import parts from '../../../running/running.module.css'
import { useNow } from '../use-now.ts'
import own from './live.module.css'
import { liveLayout, runsNow } from './live-layout.ts'

const NONE: readonly TaskRun[] = []
/** Smaller, names are unreadable: scroll instead. */
const SMALLEST = 0.55

interface LiveCanvasProps {
  dataflow: string
  onOpen: (run: string) => void
  firstStep: ReactNode
}

export default function LiveCanvas({ dataflow, onOpen, firstStep }: LiveCanvasProps) {
  const { address } = useDataflowsScope()
  const canvas = useBlocks(address, dataflow)
  const runs = useRuns(address, dataflow, { page: 1 })
  return (
    <Loaded query={canvas} subject="The canvas" skeletonHeights={[420]}>
      {(data) =>
        data.blocks.length === 0 ? (
          <NoBlocks firstStep={firstStep} />
        ) : (
          <Picture canvas={data} runs={runs.data?.runs ?? NONE} onOpen={onOpen} />
        )
      }
    </Loaded>
  )
}

interface PictureProps {
  canvas: Canvas
  runs: readonly TaskRun[]
  onOpen: (run: string) => void
}

function Picture({ canvas, runs, onOpen }: PictureProps) {
  const containerRef = useRef<HTMLDivElement>(null)
  const layout = liveLayout(canvas)
  const latest = runsNow(runs)
  const now = useNow(runs.some(isOpenRun) ? 1000 : null)
  const [zoom, setZoom] = useState<number | null>(null)
  const [room, setRoom] = useState(1)
  useLayoutEffect(() => setRoom(containerRef.current?.clientWidth || layout.width), [layout.width])
  const scale = zoom ?? Math.min(1, Math.max(SMALLEST, room / layout.width))
  const step = (by: number) => setZoom(Math.min(1.5, Math.max(0.25, scale * by)))
  const isMoving = (code: string) => {
    const run = latest.get(code)
    return run !== undefined && run.started_at !== null && isOpenRun(run)
  }
  return (
    <div className={own.frame}>
      <div ref={containerRef} className={own.room} role="group" aria-label="Blocks and their runs" tabIndex={0}>
        <div style={{ width: layout.width * scale, height: layout.height * scale }}>
          <div
            className={own.picture}
            style={{ width: layout.width, height: layout.height, transform: `scale(${scale})` }}
          >
            {layout.groups.map(({ code, name, x, y, width, height }) => (
              <div key={code} className={own.group} style={{ left: x, top: y, width, height }}>
                {name}
              </div>
            ))}
            <svg width={layout.width} height={layout.height} aria-hidden>
              {layout.arrows.map((arrow) => (
                <path key={arrow.key} d={arrow.path} data-moving={isMoving(arrow.to)} />
              ))}
            </svg>
            {layout.blocks.map(({ block, x, y }) => (
              <LiveBlock
                key={block.task_block_trellis_code}
                block={block}
                run={latest.get(block.task_block_trellis_code)}
                point={{ left: x, top: y }}
                now={now}
                onOpen={onOpen}
              />
            ))}
          </div>
        </div>
      </div>
      <div className={own.zoom}>
        <IconButton label="Zoom in" icon={<ZoomIn aria-hidden />} onClick={() => step(1.25)} />
        <IconButton label="Zoom out" icon={<ZoomOut aria-hidden />} onClick={() => step(0.8)} />
        <IconButton label="Fit to the width" icon={<Maximize2 aria-hidden />} onClick={() => setZoom(null)} />
      </div>
    </div>
  )
}

interface LiveBlockProps {
  block: BlockCard
  run: TaskRun | undefined
  point: { left: number; top: number }
  now: number
  onOpen: (run: string) => void
}

function LiveBlock({ block, run, point, now, onOpen }: LiveBlockProps) {
  const navigate = useNavigate()
  const { paths } = useDataflowsScope()
  const last = run?.task_run_trellis_code ?? block.last_run?.task_run_trellis_code
  const open = () =>
    last ? onOpen(last) : void navigate(paths.blockLogs(block.dataflow_trellis_code, block.task_block_trellis_code))
  const lasted = run ? getDurationMs(run, now) : null
  const isMoving = run !== undefined && run.started_at !== null && isOpenRun(run)
  return (
    <button type="button" className={own.block} style={point} data-moving={isMoving} onClick={open}>
      <span className={own.kind}>{block.kind}</span>
      <strong>{block.name}</strong>
      <span className={own.state}>
        {run ? <RunStatus run={run} /> : <span className={parts.quiet}>No run yet</span>}
        {lasted !== null && <span>{formatDuration(lasted)}</span>}
      </span>
      {run && <RowCounts run={run} />}
    </button>
  )
}

function RowCounts({ run: { counters } }: { run: TaskRun }) {
  return (
    <span className={own.rowCounts}>
      {shortCount(counters.rows_read)} read · {shortCount(counters.rows_written + counters.rows_updated)} written
      {counters.rows_rejected > 0 && ` · ${shortCount(counters.rows_rejected)} rejected`}
    </span>
  )
}
