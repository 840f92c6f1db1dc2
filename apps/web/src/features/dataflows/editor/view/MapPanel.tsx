import { useReactFlow, useStore } from '@xyflow/react'
import { useLayoutEffect, useMemo, useRef, type PointerEvent } from 'react'
import { getBlockWord } from '../../status-words.ts'
import { getBoundingBox } from '../model/geometry.ts'
import { toBox, isBlockNode, type FlowNode } from '../model/to-nodes.ts'
import styles from './canvas.module.css'
import { useThemeName } from './use-theme-name.ts'

const WIDTH = 188
const HEIGHT = 124
const MARGIN = 8

/** One path; only the viewport's frame moves while panning. */
export function MapPanel({ nodes }: { nodes: readonly FlowNode[] }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const theme = useThemeName()
  const { setCenter, getZoom } = useReactFlow()
  const box = useMemo(() => getBoundingBox(nodes.map(toBox)) ?? { x: 0, y: 0, width: 1, height: 1 }, [nodes])
  const scale = Math.min((WIDTH - 2 * MARGIN) / box.width, (HEIGHT - 2 * MARGIN) / box.height, 0.2)
  const left = (WIDTH - box.width * scale) / 2 - box.x * scale
  const top = (HEIGHT - box.height * scale) / 2 - box.y * scale

  useLayoutEffect(() => {
    const element = canvas.current
    const pen = element?.getContext('2d')
    if (!element || !pen) return
    const sharp = Math.min(2, devicePixelRatio)
    element.width = WIDTH * sharp
    element.height = HEIGHT * sharp
    const look = getComputedStyle(element)
    const [plain, bad, frame] = ['--map-block', '--map-bad', '--map-group'].map((name) => look.getPropertyValue(name))
    pen.setTransform(sharp, 0, 0, sharp, 0, 0)
    for (const node of nodes) {
      const { x, y, width, height } = toBox(node)
      const isBad = isBlockNode(node) && getBlockWord(node.data.block).tone === 'danger'
      pen.fillStyle = (isBlockNode(node) ? (isBad ? bad : plain) : frame) ?? ''
      pen.fillRect(left + x * scale, top + y * scale, Math.max(1.5, width * scale), Math.max(1.5, height * scale))
    }
  }, [nodes, left, top, scale, theme])

  const go = (event: PointerEvent<HTMLElement>) => {
    const { left: x, top: y } = event.currentTarget.getBoundingClientRect()
    const at = { x: (event.clientX - x - left) / scale, y: (event.clientY - y - top) / scale }
    void setCenter(at.x, at.y, { zoom: getZoom() })
  }
  return (
    <div
      aria-hidden
      className={styles.map}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        go(event)
      }}
      onPointerMove={(event) => event.buttons === 1 && go(event)}
    >
      <canvas ref={canvas} style={{ width: WIDTH, height: HEIGHT }} />
      <Seen left={left} top={top} scale={scale} />
    </div>
  )
}

function Seen({ left, top, scale }: { left: number; top: number; scale: number }) {
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
