import type { NodeChange } from '@xyflow/react'
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import { curvePath } from '../model/geometry.ts'
import { toBox, type ArrowEdge, type FlowNode } from '../model/to-nodes.ts'
import { moveTogether } from './use-flow-nodes.ts'

const NONE: ReadonlySet<string> = new Set()
/** More compositing layers cost more memory than they save time. */
const MAX_LAYERS = 40
const SVG = 'http://www.w3.org/2000/svg'

interface DirectDragOptions {
  canvasRef: RefObject<HTMLElement | null>
  sheet: RefObject<SVGGElement | null>
  nodes: FlowNode[]
  edges: readonly ArrowEdge[]
  isOn: boolean
}

interface Drag {
  elements: Map<string, HTMLElement>
  paths: { edge: ArrowEdge; path: SVGPathElement }[]
}

const isMove = (change: NodeChange<FlowNode>) => change.type === 'position' && change.dragging === true

/**
 * Moves dragged nodes in the DOM: React Flow would render every block on each step, longer than a frame on large
 * canvases. The drop is reported as usual.
 */
export function useDirectDrag(options: DirectDragOptions) {
  const latest = useRef(options)
  latest.current = options
  const drag = useRef<Drag | null>(null)
  const [lifted, setLifted] = useState(NONE)

  const end = useCallback(() => {
    if (!drag.current) return
    for (const element of drag.current.elements.values()) {
      delete element.dataset['lifted']
      setSize(element.firstElementChild, '', '')
    }
    drag.current = null
    latest.current.sheet.current?.replaceChildren()
    setLifted(NONE)
  }, [])
  useEffect(() => {
    if (!options.isOn) end()
  }, [options.isOn, end])

  const take = useCallback(
    (changes: readonly NodeChange<FlowNode>[]): boolean => {
      const { isOn, nodes, canvasRef } = latest.current
      if (!isOn || !canvasRef.current || !changes.every(isMove)) {
        if (changes.some(({ type }) => type === 'position')) end()
        return false
      }
      const next = moveTogether(nodes, changes)
      const movedFlowNodes = next.filter((node, index) => node !== nodes[index])
      drag.current ??= begin(latest.current, movedFlowNodes)
      for (const node of movedFlowNodes) {
        const element = drag.current.elements.get(node.id)
        if (!element) continue
        element.style.transform = `translate(${node.position.x}px,${node.position.y}px)`
        // React Flow observes the element's size and would report every change to all blocks.
        if (node.type === 'frame') setSize(element.firstElementChild, `${node.width}px`, `${node.height}px`)
      }
      if (drag.current.paths.length > 0) {
        const boxes = new Map(next.map((node) => [node.id, node]))
        for (const { edge, path } of drag.current.paths) {
          const [from, to] = [boxes.get(edge.source), boxes.get(edge.target)]
          if (from && to) path.setAttribute('d', curvePath(toBox(from), toBox(to)))
        }
      }
      setLifted((old) => (old === NONE ? new Set(movedFlowNodes.map(({ id }) => id)) : old))
      return true
    },
    [end],
  )
  return { take, lifted }
}

function setSize(element: Element | null, width: string, height: string): void {
  if (element instanceof HTMLElement) Object.assign(element.style, { width, height })
}

function begin({ canvasRef, sheet, edges }: DirectDragOptions, movedFlowNodes: readonly FlowNode[]): Drag {
  const ids = new Set(movedFlowNodes.map(({ id }) => id))
  const elements = new Map<string, HTMLElement>()
  for (const element of canvasRef.current?.querySelectorAll<HTMLElement>('.react-flow__node') ?? []) {
    const { id } = element.dataset
    if (id === undefined || !ids.has(id)) continue
    elements.set(id, element)
  }
  const lifted = movedFlowNodes.filter((node) => node.type === 'block')
  if (lifted.length <= MAX_LAYERS) for (const { id } of lifted) elements.get(id)?.toggleAttribute('data-lifted', true)
  const paths = edges
    .filter(({ source, target }) => ids.has(source) || ids.has(target))
    .map((edge) => ({ edge, path: document.createElementNS(SVG, 'path') }))
  sheet.current?.replaceChildren(...paths.map(({ path }) => path))
  return { elements, paths }
}
