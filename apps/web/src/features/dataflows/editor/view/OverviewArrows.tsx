import { useStore, ViewportPortal } from '@xyflow/react'
import { useLayoutEffect, useRef, type Ref } from 'react'
import { getBoundingBox, getArrowCurve } from '../model/geometry.ts'
import { toBox, isBlockNode, type ArrowEdge, type FlowNode } from '../model/to-nodes.ts'
import styles from './canvas.module.css'
import { useThemeName } from './use-theme-name.ts'

/** Larger canvases cost more memory than an overview is worth. */
const MAX_PIXELS = 4096
const STEPS_PER_HALF = 4

/** Every frame copies all pixels of a canvas, so it has few more than are seen. Steps: zooming must not redraw it each time. */
const roundZoomUp = (zoom: number): number => 2 ** (Math.ceil(Math.log2(zoom) * STEPS_PER_HALF) / STEPS_PER_HALF)

interface OverviewArrowsProps {
  nodes: readonly FlowNode[]
  edges: readonly ArrowEdge[]
  /** Drawn as SVG meanwhile. */
  lifted: ReadonlySet<string>
  sheet: Ref<SVGGElement>
}

/** One canvas for all arrows: zoomed out, an element each would be too slow. */
export default function OverviewArrows({ nodes, edges, lifted, sheet }: OverviewArrowsProps) {
  const theme = useThemeName()
  const canvas = useRef<HTMLCanvasElement>(null)
  const box = getBoundingBox(nodes.map(toBox)) ?? { x: 0, y: 0, width: 1, height: 1 }
  const zoom = useStore((state) => roundZoomUp(state.transform[2]))
  const scale = Math.min(zoom * devicePixelRatio, MAX_PIXELS / box.width, MAX_PIXELS / box.height)
  const { x, y, width, height } = box
  useLayoutEffect(() => {
    const element = canvas.current
    const pen = element?.getContext('2d')
    if (!element || !pen) return
    const [wide, high] = [Math.ceil(width * scale), Math.ceil(height * scale)]
    // Assigning a size reallocates the canvas, even the same one.
    if (element.width !== wide) element.width = wide
    if (element.height !== high) element.height = high
    pen.resetTransform()
    pen.clearRect(0, 0, wide, high)
    pen.setTransform(scale, 0, 0, scale, -x * scale, -y * scale)
    pen.strokeStyle = getComputedStyle(element).color
    pen.lineWidth = 1.6 / scale
    const boxes = new Map(nodes.map((node) => [node.id, toBox(node)]))
    pen.beginPath()
    for (const { source, target } of edges) {
      const [from, to] = [boxes.get(source), boxes.get(target)]
      if (!from || !to || lifted.has(source) || lifted.has(target)) continue
      const { x1, y1, x2, y2, bend } = getArrowCurve(from, to)
      pen.moveTo(x1, y1)
      pen.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2)
    }
    pen.stroke()
    // On top of the blocks: below them, each block would become a compositing layer.
    for (const node of nodes) {
      const box = boxes.get(node.id)
      if (box && (isBlockNode(node) || node.data.group.is_folded) && !lifted.has(node.id))
        pen.clearRect(box.x, box.y, box.width, box.height)
    }
  }, [nodes, edges, lifted, x, y, width, height, scale, theme])
  return (
    <ViewportPortal>
      <canvas
        ref={canvas}
        aria-hidden
        className={styles.arrows}
        style={{ width, height, transform: `translate(${x}px, ${y}px)` }}
      />
      <svg aria-hidden className={styles.sheet}>
        <g ref={sheet} strokeWidth={1.6 / scale} />
      </svg>
    </ViewportPortal>
  )
}
