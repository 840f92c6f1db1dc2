import type { BlockCard, Canvas } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { Edge, Node, NodeHandle, Position } from '@xyflow/react'
import { PUBLISH_STATE_LABELS, formatFaultCount, getBlockStatusLabel } from '../../status-labels.ts'
import type { Group } from './changes.ts'
import { FOLDED, groupBox, NODE_HEIGHT, NODE_WIDTH, type Box, type Point } from './geometry.ts'
import { readingOrder } from './order.ts'

export type BlockNode = Node<{ block: BlockCard }, 'block'>
export type GroupNode = Node<{ group: Group; members: readonly string[] }, 'frame'>
export type FlowNode = BlockNode | GroupNode
export type ArrowEdge = Edge<{ source: string; target: string }, 'arrow'>

const groupNodeId = (code: string): string => `group:${code}`
export const isGroupNode = (node: FlowNode): node is GroupNode => node.type === 'frame'
export const isBlockNode = (node: FlowNode): node is BlockNode => node.type === 'block'

export const toBox = (node: FlowNode): Box => ({ ...node.position, width: node.width ?? 0, height: node.height ?? 0 })

/** Explicit handles: React Flow does not have to measure nodes. */
const createHandles = ({ width, height }: Pick<Box, 'width' | 'height'>): NodeHandle[] => [
  { type: 'target', position: 'left' as Position, x: -5, y: height / 2 - 5, width: 10, height: 10 },
  { type: 'source', position: 'right' as Position, x: width - 5, y: height / 2 - 5, width: 10, height: 10 },
]

export function blockLabel(block: BlockCard): string {
  return [
    `${block.kind} ${block.name}`,
    block.integration_name,
    getBlockStatusLabel(block).text,
    block.publish_state !== 'published' && PUBLISH_STATE_LABELS[block.publish_state].text,
    block.faults.length > 0 && formatFaultCount(block.faults.length),
    block.trigger_in_words,
  ]
    .filter(Boolean)
    .join(', ')
}

export function groupLabel(group: Group, members: number): string {
  return `Group ${group.name || 'without a name'}, ${members === 1 ? '1 block' : `${members} blocks`}${group.is_folded ? ', folded' : ''}`
}

const blockNode = (block: BlockCard): BlockNode => ({
  id: block.task_block_trellis_code,
  type: 'block',
  position: { x: block.metadata.x, y: block.metadata.y },
  width: NODE_WIDTH,
  height: NODE_HEIGHT,
  handles: createHandles({ width: NODE_WIDTH, height: NODE_HEIGHT }),
  data: { block },
  zIndex: 1,
})

interface Frame {
  group: Group
  members: readonly string[]
  places: readonly Point[]
}

export function groupNode({ group, members, places }: Frame): GroupNode | null {
  const box = groupBox(places)
  if (!box) return null
  const size = group.is_folded ? FOLDED : box
  return {
    id: groupNodeId(group.trellis_code),
    type: 'frame',
    position: { x: box.x, y: box.y },
    width: size.width,
    height: size.height,
    handles: createHandles(size),
    data: { group, members },
    dragHandle: '[data-drag]',
    connectable: false,
    zIndex: group.is_folded ? 1 : 0,
    style: { pointerEvents: 'none' },
  }
}

export function toNodes({ blocks, groups }: Pick<Canvas, 'blocks' | 'groups'>): FlowNode[] {
  const inside = Map.groupBy(
    blocks.filter((block) => block.metadata.group_trellis_code !== null),
    (block) => block.metadata.group_trellis_code,
  )
  const folded = new Set(groups.filter((group) => group.is_folded).map((group) => group.trellis_code))
  const frames = groups.flatMap((group) => {
    const members = inside.get(group.trellis_code) ?? []
    const node = groupNode({
      group,
      members: members.map((block) => block.task_block_trellis_code),
      places: members.map((block) => block.metadata),
    })
    return node ? [node] : []
  })
  const shownBlockNodes = blocks.filter((block) => !folded.has(block.metadata.group_trellis_code ?? '')).map(blockNode)
  return [...frames, ...shownBlockNodes]
}

/** A block selected with its group is listed once. */
export const listCodesIn = (nodes: readonly FlowNode[]): string[] => [
  ...new Set(nodes.flatMap((node) => (isGroupNode(node) ? node.data.members : [node.id]))),
]

/** A group comes before its blocks. */
export const tabOrder = (nodes: readonly FlowNode[]): string[] =>
  readingOrder(nodes.map((node) => ({ id: node.id, x: node.position.x, y: node.position.y })))

/** Arrows of a collapsed group's blocks start and end at the group. */
export function toEdges({ blocks, groups }: Pick<Canvas, 'blocks' | 'groups'>): ArrowEdge[] {
  const folded = new Set(groups.filter((group) => group.is_folded).map((group) => group.trellis_code))
  const names = new Map(blocks.map((block) => [block.task_block_trellis_code, block.name]))
  const ends = new Map(
    blocks.map(({ task_block_trellis_code: code, metadata: { group_trellis_code: group } }) => [
      code,
      group !== null && folded.has(group) ? groupNodeId(group) : code,
    ]),
  )
  const edges = new Map<string, ArrowEdge>()
  for (const { task_block_trellis_code: target, waits_for } of blocks) {
    for (const source of waits_for) {
      const [from, to] = [ends.get(source), ends.get(target)]
      if (from === undefined || to === undefined || from === to) continue
      const id = `${from}>${to}`
      edges.set(id, {
        id,
        type: 'arrow',
        source: from,
        target: to,
        data: { source, target },
        ariaLabel: `Arrow from ${names.get(source)} to ${names.get(target)}`,
        deletable: from === source && to === target,
      })
    }
  }
  return [...edges.values()]
}
