import {
  ReactFlow,
  ReactFlowProvider,
  MarkerType,
  useReactFlow,
  type Connection,
  type NodeChange,
  type Viewport,
} from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { lazy, Suspense, useEffect, useEffectEvent, useMemo, useRef, useState, type MouseEvent } from 'react'
import { ContextMenu } from '../../../../ui/overlays/ContextMenu.tsx'
import type { EditorProps } from '../editor-props.ts'
import {
  getBoundingBox,
  firstView,
  GRID,
  containsPoint,
  NODE_HEIGHT,
  NODE_WIDTH,
  viewportFor,
  type Point,
} from '../model/geometry.ts'
import {
  toBox,
  listCodesIn,
  isBlockNode,
  isGroupNode,
  toEdges,
  type ArrowEdge as Arrow,
  type FlowNode,
} from '../model/to-nodes.ts'
import { ArrowEdge } from './ArrowEdge.tsx'
import { BlockNode } from './BlockNode.tsx'
import { CanvasContext } from './canvas-context.ts'
import styles from './canvas.module.css'
import { GroupNode } from './GroupNode.tsx'
import { useCanvasKeys } from './use-canvas-keys.ts'
import { useCanvasMenu } from './use-canvas-menu.tsx'
import { useClipboard } from './use-clipboard.ts'
import { useDirectDrag } from './use-direct-drag.ts'
import { movedPlaces, moveTogether, useFlowNodes } from './use-flow-nodes.ts'
import { useMinute } from './use-minute.ts'
import { usePanLayer } from './use-pan-layer.ts'
import { useSteady } from './use-steady.ts'
import { FAR_ZOOM, MAX_NAMED_BLOCKS, readView, storeView } from './stored-view.ts'

const CanvasCorners = lazy(() => import('./CanvasCorners.tsx'))
const CommandContext = lazy(() => import('./Ground.tsx'))

const nodeTypes = { block: BlockNode, frame: GroupNode }
const edgeTypes = { arrow: ArrowEdge }
const NO_EDGES: Arrow[] = []
const SNAP: [number, number] = [GRID, GRID]
const PRO = { hideAttribution: true }
const MULTI = ['Shift', 'Meta', 'Control']
const edgeOptions = {
  markerEnd: { type: MarkerType.ArrowClosed, width: 16, height: 16, color: 'var(--border-control)' },
}
const HELP_ID = 'canvas-help'

/** An estimate of the size before the first layout. */
function estimateSize() {
  const { clientWidth = window.innerWidth, clientHeight = window.innerHeight } =
    document.getElementById('content') ?? {}
  return { width: clientWidth, height: clientHeight - 93 }
}

export default function FlowCanvas(props: EditorProps) {
  return (
    <ReactFlowProvider>
      <Surface {...props} />
    </ReactFlowProvider>
  )
}

function Surface(props: EditorProps) {
  const { canvas, canWrite, actions, onSelect } = props
  const flow = useReactFlow<FlowNode, Arrow>()
  const { nodes, onNodesChange, tabStop, setTabStop, select } = useFlowNodes(canvas)
  const drawnArrowEdges = useMemo(() => toEdges(canvas), [canvas])
  const [chosenArrow, setChosenArrow] = useState<string | null>(null)
  const pointer = useRef<Point | undefined>(undefined)
  /** Drag events may arrive before the render. */
  const moves = useRef<NodeChange<FlowNode>[]>([])
  const [start] = useState(
    () => readView(canvas.dataflow_trellis_code) ?? firstView(getBoundingBox(nodes.map(toBox)), estimateSize()),
  )
  const [isOverview, setOverview] = useState(start.zoom < FAR_ZOOM)
  const edges = useMemo(() => {
    if (isOverview) return NO_EDGES
    return drawnArrowEdges.map((edge) => (edge.id === chosenArrow ? { ...edge, selected: true, zIndex: 2 } : edge))
  }, [drawnArrowEdges, isOverview, chosenArrow])
  // The minimap updates after a drag only.
  const [atRest, setAtRest] = useState(nodes)
  const isDragging = nodes.some((node) => node.dragging)
  useEffect(() => {
    if (!isDragging) setAtRest(nodes)
  }, [isDragging, nodes])
  const selectedCodes = useMemo(() => listCodesIn(nodes.filter((node) => node.selected)), [nodes])
  const selectedKey = selectedCodes.join(' ')
  useEffect(() => onSelect(selectedKey === '' ? [] : selectedKey.split(' ')), [selectedKey, onSelect])

  const fit = () => {
    const size = keys.box.current?.getBoundingClientRect()
    if (size) void flow.setViewport(viewportFor(getBoundingBox(nodes.map(toBox)), size, 1), { duration: 160 })
  }
  const { menu, openNode, openArrow, openPane, closeMenu } = useCanvasMenu({ ...props, onFit: fit, select })
  const removeArrows = () => {
    const edge = drawnArrowEdges.find((arrowEdge) => arrowEdge.id === chosenArrow)
    if (!edge?.deletable || !edge.data) return false
    setChosenArrow(null)
    void actions.disconnect(edge.data.source, edge.data.target)
    return true
  }
  const keys = useCanvasKeys({
    ...props,
    nodes,
    tabStop,
    setTabStop,
    select,
    onFit: fit,
    onMenu: openNode,
    removeArrows,
  })
  useClipboard({
    canvasRef: keys.box,
    actions,
    canWrite,
    codes: () => {
      const node = nodes.find(({ id }) => id === tabStop)
      const isFocused = document.activeElement?.getAttribute('data-id') === tabStop
      return keys.listCodes(isFocused ? node : undefined)
    },
    pointer: () => pointer.current && flow.screenToFlowPosition(pointer.current),
    onPasted: (codes) => {
      const createdCodes = new Set(codes)
      select((node) => createdCodes.has(node.id))
    },
  })

  const { arrived, onArrived } = props
  const isArrived = arrived !== null && nodes.some((node) => node.id === arrived)
  const welcome = useEffectEvent(() => {
    if (arrived === null) return
    select((node) => node.id === arrived)
    keys.focus(arrived)
    onArrived()
  })
  useEffect(() => {
    if (isArrived) welcome()
  }, [isArrived])

  const setMoving = (what: 'blocks' | 'view' | null) => {
    if (what) keys.box.current?.setAttribute('data-moving', what)
    else keys.box.current?.removeAttribute('data-moving')
  }
  const commit = (dragged: readonly FlowNode[]) => {
    setMoving(null)
    const all = moveTogether(flow.getNodes(), moves.current)
    const places = movedPlaces(all, canvas)
    for (const node of dragged) {
      const group = isBlockNode(node) && groupUnder(node, all)
      if (group) places[node.id] = { ...places[node.id], group_trellis_code: group }
    }
    if (Object.keys(places).length > 0) void actions.place(places)
  }
  const sheet = useRef<SVGGElement>(null)
  const { take, lifted } = useDirectDrag({
    canvasRef: keys.box,
    sheet,
    nodes,
    edges: drawnArrowEdges,
    isOn: isOverview,
  })
  const layer = usePanLayer(keys.box)
  const now = useMinute()
  const { onFold } = useSteady({
    onFold: (code: string) => void actions.changeGroup(code, { is_folded: !actions.groupWith(code)?.group.is_folded }),
  })
  const hasNames = canvas.blocks.length <= MAX_NAMED_BLOCKS
  const surroundings = useMemo(
    () => ({ canWrite, isOverview, hasNames, now, onFold }),
    [canWrite, isOverview, hasNames, now, onFold],
  )
  const steady = useSteady({
    onNodesChange: (changes: NodeChange<FlowNode>[]) => {
      moves.current = changes.filter(({ type }) => type === 'position')
      if (!take(changes)) onNodesChange(changes)
    },
    onConnect: ({ source, target }: Connection) => void actions.connect(source, target),
    onNodeClick: () => setChosenArrow(null),
    onNodeDoubleClick: (_: unknown, node: FlowNode) =>
      isGroupNode(node) ? onFold(node.data.group.trellis_code) : keys.openNode(node),
    onNodeContextMenu: (event: MouseEvent, node: FlowNode) => {
      event.preventDefault()
      openNode(node, { left: event.clientX, top: event.clientY })
    },
    onEdgeClick: (_: unknown, edge: Arrow) => setChosenArrow(edge.id),
    onEdgeContextMenu: (event: MouseEvent, edge: Arrow) => {
      event.preventDefault()
      setChosenArrow(edge.id)
      openArrow(edge, { left: event.clientX, top: event.clientY })
    },
    onPaneClick: () => setChosenArrow(null),
    onPaneContextMenu: (event: MouseEvent | globalThis.MouseEvent) => {
      event.preventDefault()
      const point = { x: event.clientX, y: event.clientY }
      openPane({ left: point.x, top: point.y }, flow.screenToFlowPosition(point))
    },
    onNodeDragStart: () => setMoving('blocks'),
    onNodeDragStop: (_: unknown, __: FlowNode, dragged: FlowNode[]) => commit(dragged),
    onSelectionDragStart: () => setMoving('blocks'),
    onSelectionDragStop: (_: unknown, dragged: FlowNode[]) => commit(dragged),
    onMove: (_: unknown, view: Viewport) => {
      setMoving('view')
      setOverview(view.zoom < FAR_ZOOM)
      layer.move(view)
    },
    onMoveEnd: () => {
      // React Flow calls this late, and may call it with an earlier view.
      const view = flow.getViewport()
      setMoving(null)
      layer.end(view)
      storeView(canvas.dataflow_trellis_code, view)
    },
  })
  return (
    <CanvasContext value={surroundings}>
      <div
        ref={keys.box}
        role="presentation"
        className={styles.canvas}
        onKeyDown={keys.onKeyDown}
        onFocus={(event) => {
          const id = (event.target as HTMLElement).dataset['id']
          if (id !== undefined && nodes.some((node) => node.id === id)) setTabStop(id)
        }}
        onPointerMove={(event) => {
          pointer.current = { x: event.clientX, y: event.clientY }
        }}
        onPointerLeave={() => (pointer.current = undefined)}
      >
        <p id={HELP_ID} className="visually-hidden">
          Tab goes from block to block, Enter opens one, arrow keys move it, C draws an arrow from it, the question mark
          lists all keys. The list of the blocks holds the same.
        </p>
        <ReactFlow<FlowNode, Arrow>
          aria-label={`Canvas of ${canvas.name}`}
          aria-describedby={HELP_ID}
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          defaultEdgeOptions={edgeOptions}
          defaultViewport={start}
          minZoom={0.05}
          maxZoom={2}
          snapToGrid
          snapGrid={SNAP}
          onlyRenderVisibleElements={!isOverview}
          nodesDraggable={canWrite}
          nodesConnectable={canWrite}
          nodesFocusable={false}
          edgesFocusable={false}
          disableKeyboardA11y
          deleteKeyCode={null}
          multiSelectionKeyCode={MULTI}
          zoomOnDoubleClick={false}
          elevateNodesOnSelect={false}
          proOptions={PRO}
          {...steady}
        >
          <Suspense fallback={null}>
            <CommandContext
              isOverview={isOverview}
              nodes={nodes}
              edges={drawnArrowEdges}
              lifted={lifted}
              sheet={sheet}
            />
          </Suspense>
        </ReactFlow>
        <Suspense fallback={null}>
          <CanvasCorners nodes={atRest} onFit={fit} />
        </Suspense>
        {menu && (
          <ContextMenu
            {...menu}
            onClose={(isFocusBack) => {
              closeMenu()
              if (isFocusBack && tabStop !== null) keys.focus(tabStop)
            }}
          />
        )}
      </div>
    </CanvasContext>
  )
}

function groupUnder(node: FlowNode & { type?: 'block' }, nodes: readonly FlowNode[]): string | undefined {
  if (!isBlockNode(node) || node.data.block.metadata.group_trellis_code !== null) return undefined
  const middle = { x: node.position.x + NODE_WIDTH / 2, y: node.position.y + NODE_HEIGHT / 2 }
  const under = nodes
    .filter(isGroupNode)
    .find((groupNode) => !groupNode.data.group.is_folded && containsPoint(toBox(groupNode), middle))
  return under?.data.group.trellis_code
}
