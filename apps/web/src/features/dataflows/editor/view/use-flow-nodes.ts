import type { Canvas } from '@trellis/contract/dataflows/task-blocks.schemas'
import { applyNodeChanges, type NodeChange, type NodePositionChange } from '@xyflow/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Places } from '../model/changes.ts'
import { groupBox, type Point } from '../model/geometry.ts'
import {
  blockLabel,
  groupLabel,
  groupNode,
  isBlockNode,
  isGroupNode,
  toNodes,
  type FlowNode,
  type GroupNode,
} from '../model/to-nodes.ts'

const getNodeLabel = (node: FlowNode) =>
  isGroupNode(node) ? groupLabel(node.data.group, node.data.members.length) : blockLabel(node.data.block)

const withWords = <N extends FlowNode>(node: N, isTabStop: boolean): N => ({
  ...node,
  domAttributes: {
    tabIndex: isTabStop ? 0 : -1,
    role: 'group',
    'aria-roledescription': isGroupNode(node) ? 'group' : 'block',
    'aria-label': getNodeLabel(node),
  },
})

const isSameNode = (a: FlowNode, b: FlowNode) =>
  a.position.x === b.position.x &&
  a.position.y === b.position.y &&
  a.width === b.width &&
  a.height === b.height &&
  (isGroupNode(a) && isGroupNode(b)
    ? a.data.group === b.data.group && a.data.members.length === b.data.members.length
    : isBlockNode(a) && isBlockNode(b) && a.data.block === b.data.block)

/** Keeps selection and drags; unchanged nodes keep their reference. */
function mergeNodes(oldFlowNodes: readonly FlowNode[], next: readonly FlowNode[], tabStop: string | null): FlowNode[] {
  const knownFlowNodes = new Map(oldFlowNodes.map((node) => [node.id, node]))
  return next.map((node) => {
    const before = knownFlowNodes.get(node.id)
    if (!before) return withWords(node, node.id === tabStop)
    if (before.dragging || isSameNode(before, node)) return before
    const kept = {
      ...node,
      ...(before.selected !== undefined && { selected: before.selected }),
      ...(before.measured && { measured: before.measured }),
    }
    return withWords(kept, node.id === tabStop)
  })
}

/** Groups move with their blocks, and frames grow with them. */
export function moveTogether(nodes: FlowNode[], changes: readonly NodeChange<FlowNode>[]): FlowNode[] {
  const moves = changes.filter(
    (change): change is NodePositionChange & { position: Point } =>
      change.type === 'position' && change.position !== undefined,
  )
  const next = applyNodeChanges([...changes], nodes)
  if (moves.length === 0) return next
  const moved = new Map(moves.map((change) => [change.id, change.position]))
  const shifts = new Map<string, Point>()
  for (const node of nodes) {
    const to = moved.get(node.id)
    if (!to || !isGroupNode(node)) continue
    for (const member of node.data.members)
      if (!moved.has(member)) shifts.set(member, { x: to.x - node.position.x, y: to.y - node.position.y })
  }
  const shifted = next.map((node) => {
    const by = shifts.get(node.id)
    return by ? { ...node, position: { x: node.position.x + by.x, y: node.position.y + by.y } } : node
  })
  const places = new Map(shifted.filter(isBlockNode).map((node) => [node.id, node.position]))
  return shifted.map((node) => (isGroupNode(node) ? fitGroup(node, moved, places) : node))
}

function fitGroup(
  node: GroupNode,
  movedPoints: ReadonlyMap<string, Point>,
  places: ReadonlyMap<string, Point>,
): GroupNode {
  if (node.data.group.is_folded || movedPoints.has(node.id) || !node.data.members.some((code) => movedPoints.has(code)))
    return node
  const { group, members } = node.data
  const frame = groupNode({ group, members, places: members.flatMap((code) => places.get(code) ?? []) })
  return frame ? ({ ...node, position: frame.position, width: frame.width, height: frame.height } as GroupNode) : node
}

/** Unsaved positions. */
export function movedPlaces(nodes: readonly FlowNode[], canvas: Canvas): Places {
  const places: Places = {}
  const saved = new Map(canvas.blocks.map((block) => [block.task_block_trellis_code, block.metadata]))
  const put = (code: string, { x, y }: Point) => {
    const before = saved.get(code)
    if (before && (before.x !== x || before.y !== y)) places[code] = { x, y }
  }
  for (const node of nodes) {
    if (isBlockNode(node)) put(node.id, node.position)
    else if (node.data.group.is_folded) {
      const members = node.data.members.flatMap((code) => saved.get(code) ?? [])
      const box = groupBox(members)
      if (!box) continue
      const by = { x: node.position.x - box.x, y: node.position.y - box.y }
      for (const code of node.data.members) {
        const savedPosition = saved.get(code)
        if (savedPosition) put(code, { x: savedPosition.x + by.x, y: savedPosition.y + by.y })
      }
    }
  }
  return places
}

export function useFlowNodes(canvas: Canvas) {
  const [tabStop, setTabStop] = useState<string | null>(null)
  const [nodes, setNodes] = useState<FlowNode[]>(() => mergeNodes([], toNodes(canvas), null))
  const stop = useRef(tabStop)
  useEffect(() => setNodes((oldFlowNodes) => mergeNodes(oldFlowNodes, toNodes(canvas), stop.current)), [canvas])
  const onNodesChange = useCallback(
    (changes: NodeChange<FlowNode>[]) => setNodes((oldFlowNodes) => moveTogether(oldFlowNodes, changes)),
    [],
  )
  const current = tabStop !== null && nodes.some(({ id }) => id === tabStop) ? tabStop : (nodes[0]?.id ?? null)
  useEffect(() => {
    const before = stop.current
    stop.current = current
    setNodes((oldFlowNodes) =>
      oldFlowNodes.map((node) =>
        node.id === current || node.id === before ? withWords(node, node.id === current) : node,
      ),
    )
  }, [current])
  const select = useCallback(
    (isSelected: (node: FlowNode) => boolean) =>
      setNodes((oldFlowNodes) =>
        oldFlowNodes.map((node) =>
          Boolean(node.selected) === isSelected(node) ? node : { ...node, selected: isSelected(node) },
        ),
      ),
    [],
  )
  return { nodes, onNodesChange, tabStop: current, setTabStop, select }
}
