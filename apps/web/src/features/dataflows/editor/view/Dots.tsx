import { useStore } from '@xyflow/react'
import { GRID } from '../model/geometry.ts'
import styles from './canvas.module.css'

const ID = 'canvas-dots'

/** The ground of the canvas. It is shifted within one step of its pattern: repainting all of it would slow every pan. */
export function Dots() {
  const [x, y, zoom] = useStore((state) => state.transform)
  const gap = GRID * 2 * zoom
  return (
    <svg aria-hidden className={styles.dots} style={{ transform: `translate(${x % gap}px, ${y % gap}px)` }}>
      <pattern id={ID} width={gap} height={gap} patternUnits="userSpaceOnUse">
        <circle cx={gap / 2} cy={gap / 2} r={zoom / 2} />
      </pattern>
      <rect width="100%" height="100%" fill={`url(#${ID})`} />
    </svg>
  )
}
