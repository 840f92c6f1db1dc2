import { useId, useState, type PointerEvent } from 'react'
import { Card } from '../../ui/layout/Card.tsx'
import {
  areaPath,
  labelPoint,
  linePath,
  findNearest,
  toPositions,
  roundTop,
  formatSummary,
  type DayPoint,
} from './day-series.ts'
import styles from './utilization.module.css'

const SIZE = { width: 600, height: 140 }
const BAR_SHARE = 0.7
/** A single bar would fill the chart. */
const MAX_BAR = 56

export function DayChart({
  title,
  points,
  kind,
  format,
  colour,
  unit = 1,
}: {
  title: string
  points: readonly DayPoint[]
  kind: 'bars' | 'line'
  format: (value: number) => string
  colour: string
  unit?: number
}) {
  const id = useId()
  const [index, setAt] = useState<number | null>(null)
  const top = roundTop(
    points.map((point) => point.value),
    unit,
  )
  const places = toPositions(points, top)
  const shownDayPoint = points[index ?? points.length - 1]
  const mark = index === null ? undefined : places[index]
  const onMove = (event: PointerEvent<SVGSVGElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    setAt(findNearest(places, (event.clientX - left) / width))
  }
  return (
    <Card title={title}>
      <figure className={styles.chart} style={{ '--series': colour } as React.CSSProperties}>
        <figcaption className={styles.reading}>
          <strong>{shownDayPoint && format(shownDayPoint.value)}</strong>
          <span>{shownDayPoint && labelPoint(shownDayPoint)}</span>
        </figcaption>
        <div className={styles.plot}>
          <span className={styles.top}>{format(top)}</span>
          <svg
            viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
            preserveAspectRatio="none"
            role="img"
            aria-labelledby={id}
            onPointerMove={onMove}
            onPointerLeave={() => setAt(null)}
          >
            <title id={id}>{`${title}. ${formatSummary(points, format)}`}</title>
            {kind === 'line' ? <Line places={places} /> : <Bars places={places} position={index} />}
            {kind === 'line' && mark && (
              <line x1={mark.x * SIZE.width} x2={mark.x * SIZE.width} y1={0} y2={SIZE.height} className={styles.mark} />
            )}
          </svg>
        </div>
        <div className={styles.days} aria-hidden>
          {[...new Set([points[0], points.at(-1)])].map((point, end) => (
            <span key={end}>{point && labelPoint(point)}</span>
          ))}
        </div>
      </figure>
    </Card>
  )
}

type Places = ReturnType<typeof toPositions>

/** A path of one point draws nothing: a single measurement is a horizontal line. */
function Line({ places: measuredPoints }: { places: Places }) {
  const [only, ...others] = measuredPoints
  const places =
    only && others.length === 0
      ? [
          { ...only, x: 0 },
          { ...only, x: 1 },
        ]
      : measuredPoints
  return (
    <>
      <path d={areaPath(places, SIZE)} className={styles.area} />
      <path d={linePath(places, SIZE)} className={styles.stroke} />
    </>
  )
}

function Bars({ places, position }: { places: Places; position: number | null }) {
  const slot = SIZE.width / Math.max(1, places.length)
  const width = Math.min(slot * BAR_SHARE, MAX_BAR)
  return places.map(({ x, y }, index) => (
    <rect
      key={x}
      x={x * (SIZE.width - slot) + (slot - width) / 2}
      width={width}
      y={(1 - y) * SIZE.height}
      height={y * SIZE.height}
      className={styles.bar}
      data-at={index === position}
    />
  ))
}
