import type { Dashboard } from '@trellis/contract/dashboard/dashboard.schemas'
import { ArrowLeft, ArrowRight, GripVertical, Maximize2, Minimize2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { LiveSpark } from '../../../../spark-host/LiveSpark.tsx'
import { useSparkVersion } from '../../../../spark-host/spark-data.queries.ts'
import { IconButton } from '../../../../ui/actions/IconButton.tsx'
import { Skeleton } from '../../../../ui/feedback/Skeleton.tsx'
import { Badge } from '../../../../ui/feedback/Status.tsx'
import { useCurrentWorkspace } from '../../../accounts/accounts.queries.ts'
import { FRAME_HEIGHT } from './tile-size.ts'
import styles from './tiles.module.css'

export type TileSpark = Dashboard['sparks'][number]

interface SparkTileProps {
  spark: TileSpark
  to: string
  isWide: boolean
  tilePosition: { index: number; of: number }
  onMove: (to: number) => void
  onResize: () => void
  onDrag: (isDragged: boolean) => void
}

export function SparkTile({ spark, to, isWide, tilePosition, onMove, onResize, onDrag }: SparkTileProps) {
  const containerRef = useRef<HTMLDivElement>(null)
  const isSeen = useSeen(containerRef)
  return (
    <article className={styles.tile} aria-label={spark.name}>
      <header className={styles.head}>
        <span
          draggable
          aria-hidden
          className={styles.grip}
          onDragStart={(event) => {
            event.dataTransfer.setData('text/plain', spark.name)
            onDrag(true)
          }}
          onDragEnd={() => onDrag(false)}
        >
          <GripVertical />
        </span>
        <Link to={to}>{spark.name}</Link>
        {spark.stale_since !== null && <Badge tone="warning">Stale</Badge>}
        <IconButton
          size="sm"
          label={`Move ${spark.name} back`}
          icon={<ArrowLeft aria-hidden />}
          data-move="back"
          disabled={tilePosition.index === 0}
          onClick={() => onMove(tilePosition.index - 1)}
        />
        <IconButton
          size="sm"
          label={`Move ${spark.name} forward`}
          icon={<ArrowRight aria-hidden />}
          data-move="forward"
          disabled={tilePosition.index === tilePosition.of - 1}
          onClick={() => onMove(tilePosition.index + 1)}
        />
        <IconButton
          size="sm"
          label={isWide ? `Make ${spark.name} narrow` : `Make ${spark.name} wide`}
          icon={isWide ? <Minimize2 aria-hidden /> : <Maximize2 aria-hidden />}
          onClick={onResize}
        />
      </header>
      <div className={styles.body}>
        <div ref={containerRef} style={{ minHeight: FRAME_HEIGHT }}>
          {/* Moving an iframe in the DOM reloads it: remount instead. */}
          {isSeen && <TileFrame key={tilePosition.index} spark={spark} />}
        </div>
      </div>
    </article>
  )
}

function TileFrame({ spark }: { spark: TileSpark }) {
  const { params } = useCurrentWorkspace()
  const { spark_trellis_code, spark_version_trellis_code } = spark
  const version = useSparkVersion({ ...params, spark_trellis_code }, spark_version_trellis_code)
  const [selected, setSelected] = useState<Record<string, string | null>>({})
  if (version.isError) return <p className={styles.problem}>This spark could not be loaded.</p>
  if (!version.data) return <Skeleton height={FRAME_HEIGHT} />
  const initial = Object.fromEntries(version.data.content.parameters.map(({ key, initial: value }) => [key, value]))
  return (
    <LiveSpark
      params={params}
      label={spark.name}
      version={version.data}
      parameters={{ ...initial, ...selected }}
      onParameters={setSelected}
      height={FRAME_HEIGHT}
    />
  )
}

/** Lazy: a tile loads once it scrolls into view. */
function useSeen(element: { current: Element | null }): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (!element.current || isSeen) return undefined
    const observer = new IntersectionObserver((entries) => entries.some((item) => item.isIntersecting) && setSeen(true))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, isSeen])
  return isSeen
}
