import { useStore } from '@xyflow/react'
import { GRID } from '../model/geometry.ts'
import styles from './canvas.module.css'

const ID = 'canvas-dots'
const BEYOND = 64

/** Shifted within one period of its pattern: repainting would slow down panning. */
export function Dots() {
  const [x, y, zoom] = useStore((state) => state.transform)
  const gap = GRID * 2 * zoom
  // Half-pixel dots are too faint.
  const [left, top, from] = [x % gap, y % gap, BEYOND - gap / 2].map(Math.round)
  return (
    <svg aria-hidden className={styles.dots} style={{ transform: `translate(${left}px, ${top}px)` }}>
      <pattern id={ID} x={from} y={from} width={gap} height={gap} patternUnits="userSpaceOnUse">
        <circle cx={zoom / 2} cy={zoom / 2} r={zoom / 2} />
      </pattern>
      <rect width="100%" height="100%" fill={`url(#${ID})`} />
    </svg>
  )
}
