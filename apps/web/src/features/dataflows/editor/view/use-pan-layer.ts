import type { Viewport } from '@xyflow/react'
import { useRef, type RefObject } from 'react'

const toTransform = ({ x, y, zoom }: Viewport) => `translate(${x}px, ${y}px) scale(${zoom})`

/**
 * Pans by moving the pane around the viewport, a layer of its own: a new transform of the viewport itself has every
 * block layered anew, which takes longer than a frame when hundreds are seen. React Flow writes that transform first.
 */
export function usePanLayer(canvasRef: RefObject<HTMLElement | null>) {
  const start = useRef<Viewport | null>(null)
  const write = (from: Viewport, { x, y }: Pick<Viewport, 'x' | 'y'>) => {
    const viewport = canvasRef.current?.querySelector<HTMLElement>('.react-flow__viewport')
    const pane = canvasRef.current?.querySelector<HTMLElement>('.react-flow__pane')
    if (!viewport || !pane) return
    viewport.style.transform = toTransform(from)
    pane.style.transform = x === 0 && y === 0 ? '' : `translate(${x}px, ${y}px)`
    // The frame of the selection is in the pane, but React Flow has moved it with the view already.
    const frame = pane.querySelector<HTMLElement>('.react-flow__nodesselection')
    if (frame) frame.style.translate = x === 0 && y === 0 ? '' : `${-x}px ${-y}px`
  }
  return {
    move: (view: Viewport) => {
      if (start.current?.zoom !== view.zoom) start.current = view
      const { x, y } = start.current
      write(start.current, { x: view.x - x, y: view.y - y })
    },
    /** Where the pane is not, clicks would miss it. */
    end: (view: Viewport) => {
      start.current = null
      write(view, { x: 0, y: 0 })
    },
  }
}
