import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
} from 'react'
import { formatDuration } from '../../../ui/data/durations.ts'
import { useVirtual } from '../../../ui/grid/use-virtual.ts'
import { getDurationMs } from '../run-words.ts'
import { FLOW_ROW, findNeighbour, type GanttBar, type GanttRow, type Move } from './gantt-rows.ts'
import { toFraction, buildTicks, type TimeRange } from './gantt-scale.ts'
import { GanttTip } from './GanttTip.tsx'
import styles from './gantt.module.css'

interface GanttProps {
  rows: readonly GanttRow[]
  range: TimeRange
  now: number
  onOpen: (bar: GanttBar, row: GanttRow) => void
  unfolded?: string | null
  onZoom: (step: 1 | -1) => void
  onPan: (part: number) => void
  onNow: () => void
}

const LANE = 22
const NAMES = 180
const NARROW = 560
const NARROW_NAMES = 108
const formatPercent = (share: number) => `${(share * 100).toFixed(3)}%`

const MOVES = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'])

/** Arrow keys move between runs, + and - zoom, Shift with arrows pans. */
export function Gantt({ rows, range, now, unfolded, onOpen, onZoom, onPan, onNow }: GanttProps) {
  const containerRef = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState<string | null>(null)
  const [tip, setTip] = useState<{ bar: GanttBar; element: Element } | null>(null)
  const virtual = useVirtual({
    count: rows.length,
    getScrollElement: () => containerRef.current,
    estimateSize: (index) => (rows[index]?.lanes ?? 1) * LANE + 10,
    overscan: 6,
    initialRect: { width: 1000, height: 600 },
  })
  useEffect(() => virtual.measure(), [rows, virtual])
  const whole = virtual.scrollRect?.width ?? 1000
  const isNarrow = whole < NARROW
  const names = isNarrow ? NARROW_NAMES : NAMES
  const width = whole - names
  const drag = useDrag(width, onPan)
  const wheel = useEffectEvent((event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    onZoom(event.deltaY > 0 ? 1 : -1)
  })
  useEffect(() => {
    const element = containerRef.current
    const turn = (event: WheelEvent) => wheel(event)
    element?.addEventListener('wheel', turn, { passive: false })
    return () => element?.removeEventListener('wheel', turn)
  }, [])

  const all = rows.flatMap(({ bars }) => bars)
  const first = all.some(({ run }) => run.key === current) ? current : all.at(-1)?.run.key
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    if (event.shiftKey && (key === 'ArrowLeft' || key === 'ArrowRight')) onPan(key === 'ArrowLeft' ? -0.25 : 0.25)
    else if (key === '+' || key === '=') onZoom(-1)
    else if (key === '-') onZoom(1)
    else if (key === 'Home') onNow()
    else if (MOVES.has(key) && first) {
      const next = findNeighbour(rows, first, key as Move)?.run.key
      if (next) {
        setCurrent(next)
        const row = rows.findIndex(({ bars }) => bars.some(({ run }) => run.key === next))
        virtual.scrollToIndex(row)
        requestAnimationFrame(() => containerRef.current?.querySelector<HTMLElement>(`[data-run="${next}"]`)?.focus())
      }
    } else return
    event.preventDefault()
  }
  const ticks = buildTicks(range, { width, isNarrow })
  const isNowInSight = now >= range.from && now <= range.to
  return (
    <div onKeyDown={onKeyDown}>
      <div
        ref={containerRef}
        className={styles.gantt}
        style={{ '--names': `${names}px` } as CSSProperties}
        role="group"
        aria-label="Runs over time"
        tabIndex={all.length ? undefined : 0}
      >
        <div className={styles.axis} aria-hidden>
          <span className={styles.corner} />
          <div className={styles.ticks}>
            {ticks
              .filter(({ hasRoom }) => hasRoom)
              .map((tick) => (
                <span
                  key={tick.instant}
                  data-day={tick.isDay}
                  style={{ left: formatPercent(toFraction(tick.instant, range)) }}
                >
                  {tick.text}
                </span>
              ))}
          </div>
        </div>
        <div className={styles.rows} style={{ height: virtual.getTotalSize() }} {...drag}>
          <div className={styles.grid} aria-hidden>
            {ticks.map((tick) => (
              <i key={tick.instant} style={{ left: formatPercent(toFraction(tick.instant, range)) }} />
            ))}
            {isNowInSight && <i className={styles.now} style={{ left: formatPercent(toFraction(now, range)) }} />}
          </div>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index]
            if (!row) return null
            return (
              <div
                key={row.code}
                role="group"
                aria-label={row.name}
                className={styles.row}
                style={{ height: item.size, transform: `translateY(${item.start}px)` }}
              >
                <span className={styles.name} title={row.name} data-block={row.isBlock}>
                  {row.name}
                </span>
                <div className={styles.track}>
                  {row.planned.map((item) => (
                    <span
                      key={item.from}
                      className={styles.planned}
                      title={`Planned for ${new Date(item.from).toLocaleString('en-GB')}: ${item.because}`}
                      style={{ left: formatPercent(toFraction(item.from, range)), width: toWidth(item, range) }}
                    />
                  ))}
                  {row.bars.map((bar) => (
                    <Bar
                      key={bar.run.key}
                      bar={bar}
                      range={range}
                      now={now}
                      isFirst={bar.run.key === first}
                      {...(row.code === FLOW_ROW && { isUnfolded: bar.run.key === unfolded })}
                      onOpen={() => onOpen(bar, row)}
                      onFocus={() => setCurrent(bar.run.key)}
                      onTip={(element) => setTip(element && { bar, element })}
                    />
                  ))}
                </div>
              </div>
            )
          })}
        </div>
        {tip && <GanttTip bar={tip.bar} now={now} anchor={tip.element} />}
      </div>
    </div>
  )
}

interface BarProps {
  bar: GanttBar
  range: TimeRange
  now: number
  isFirst: boolean
  isUnfolded?: boolean
  onOpen: () => void
  onFocus: () => void
  onTip: (element: Element | null) => void
}

function Bar({ bar, range, now, isFirst, isUnfolded, onOpen, onFocus, onTip }: BarProps) {
  const { run } = bar
  const { word, tone, isOpen } = run
  const lasted = getDurationMs(run, now)
  const from = toFraction(bar.from, range)
  const width = Math.max(0.0001, toFraction(bar.to, range) - from)
  const inside = (instant: number) => formatPercent((toFraction(instant, range) - from) / width)
  return (
    <button
      type="button"
      className={styles.bar}
      data-run={run.key}
      data-tone={tone}
      data-open={isOpen}
      tabIndex={isFirst ? 0 : -1}
      aria-expanded={isUnfolded}
      aria-label={`${word}, ${new Date(run.started_at ?? run.due_at).toLocaleString('en-GB')}${lasted === null ? '' : `, ${formatDuration(lasted)}`}`}
      style={{ left: formatPercent(from), width: formatPercent(width), top: bar.lane * LANE }}
      onClick={onOpen}
      onFocus={(event) => {
        onFocus()
        if (event.target.matches(':focus-visible')) onTip(event.target)
      }}
      onBlur={() => onTip(null)}
      onPointerEnter={(event) => onTip(event.currentTarget)}
      onPointerLeave={() => onTip(null)}
    >
      {bar.segments.map((segment) => (
        <i
          key={`${segment.kind}${segment.from}`}
          data-kind={segment.kind}
          style={{
            left: inside(segment.from),
            right: formatPercent(1 - (toFraction(segment.to, range) - from) / width),
          }}
        />
      ))}
    </button>
  )
}

const toWidth = (timeRange: TimeRange, range: TimeRange) =>
  formatPercent(toFraction(timeRange.to, range) - toFraction(timeRange.from, range))

/** Dragging pans; on a run it is a click. */
function useDrag(width: number, onPan: (part: number) => void) {
  const from = useRef<number | null>(null)
  return {
    onPointerDown: (event: PointerEvent) => {
      const isGround =
        !(event.target as Element).closest('button') && event.pointerType === 'mouse' && event.button === 0
      if (isGround) from.current = event.clientX
    },
    onPointerMove: (event: PointerEvent) => {
      if (from.current === null || event.buttons === 0) return
      onPan((from.current - event.clientX) / width)
      from.current = event.clientX
    },
    onPointerUp: () => {
      from.current = null
    },
  }
}
