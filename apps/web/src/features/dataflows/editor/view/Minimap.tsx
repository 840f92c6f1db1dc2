import { useReactFlow, useStore } from '@xyflow/react'
import { useLayoutEffect, useMemo, useRef, type PointerEvent } from 'react'
import { getBlockStatusLabel } from '../../status-labels.ts'
import { getBoundingBox } from '../model/geometry.ts'
import { toBox, isBlockNode, type FlowNode } from '../model/to-nodes.ts'
import styles from './canvas.module.css'
import { useThemeName } from './use-theme-name.ts'

const WIDTH = 188
const HEIGHT = 124
const MARGIN = 8

/** One path; only the viewport's frame moves while panning. */
export function Minimap({ nodes }: { nodes: readonly FlowNode[] }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const theme = useThemeName()
  const { setCenter, getZoom } = useReactFlow()
  const bounds = useMemo(() => getBoundingBox(nodes.map(toBox)) ?? { x: 0, y: 0, width: 1, height: 1 }, [nodes])
  const scale = Math.min((WIDTH - 2 * MARGIN) / bounds.width, (HEIGHT - 2 * MARGIN) / bounds.height, 0.2)
  const left = (WIDTH - bounds.width * scale) / 2 - bounds.x * scale
  const top = (HEIGHT - bounds.height * scale) / 2 - bounds.y * scale

  useLayoutEffect(() => {
    const element = canvas.current
    const context = element?.getContext('2d')
    if (!element || !context) return
    const pixelRatio = Math.min(2, devicePixelRatio)
    element.width = WIDTH * pixelRatio
    element.height = HEIGHT * pixelRatio
    const computedStyle = getComputedStyle(element)
    const [blockColor, failedBlockColor, groupColor] = ['--map-block', '--map-bad', '--map-group'].map((name) =>
      computedStyle.getPropertyValue(name),
    )
    context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0)
    for (const node of nodes) {
      const { x, y, width, height } = toBox(node)
      const isBad = isBlockNode(node) && getBlockStatusLabel(node.data.block).tone === 'danger'
      context.fillStyle = (isBlockNode(node) ? (isBad ? failedBlockColor : blockColor) : groupColor) ?? ''
      context.fillRect(left + x * scale, top + y * scale, Math.max(1.5, width * scale), Math.max(1.5, height * scale))
    }
  }, [nodes, left, top, scale, theme])

  const panTo = (event: PointerEvent<HTMLElement>) => {
    const { left: x, top: y } = event.currentTarget.getBoundingClientRect()
    const point = { x: (event.clientX - x - left) / scale, y: (event.clientY - y - top) / scale }
    void setCenter(point.x, point.y, { zoom: getZoom() })
  }
  return (
    <div
      aria-hidden
      className={styles.map}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        panTo(event)
      }}
      onPointerMove={(event) => event.buttons === 1 && panTo(event)}
    >
      <canvas ref={canvas} style={{ width: WIDTH, height: HEIGHT }} />
      <VisibleArea left={left} top={top} scale={scale} />
    </div>
  )
}

function VisibleArea({ left, top, scale }: { left: number; top: number; scale: number }) {
  const [x, y, zoom] = useStore((state) => state.transform)
  const width = useStore((state) => state.width)
  const height = useStore((state) => state.height)
  return (
    <i
      style={{
        width: (width / zoom) * scale,
        height: (height / zoom) * scale,
        transform: `translate(${left - (x / zoom) * scale}px, ${top - (y / zoom) * scale}px)`,
      }}
    />
  )
}
