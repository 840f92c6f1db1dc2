import dagre from '@dagrejs/dagre'
import { NODE_HEIGHT, NODE_WIDTH, snapToGrid } from '../model/geometry.ts'

export interface LayoutQuestion {
  blocks: readonly { id: string; after: readonly string[]; group: string | null }[]
}
export type LayoutAnswer = Record<string, { x: number; y: number }>

/** Layered along the arrows; groups stay together. */
export function layOut({ blocks }: LayoutQuestion): LayoutAnswer {
  const graph = new dagre.graphlib.Graph({ compound: true })
  graph.setGraph({ rankdir: 'LR', ranker: 'tight-tree', nodesep: 48, ranksep: 96, marginx: 48, marginy: 48 })
  graph.setDefaultEdgeLabel(() => ({}))
  const ids = new Set(blocks.map(({ id }) => id))
  for (const { id, group } of blocks) {
    graph.setNode(id, { width: NODE_WIDTH, height: NODE_HEIGHT })
    if (group === null) continue
    graph.setNode(`group ${group}`, {})
    graph.setParent(id, `group ${group}`)
  }
  for (const { id, after } of blocks) for (const from of after) if (ids.has(from)) graph.setEdge(from, id)
  dagre.layout(graph)
  return Object.fromEntries(
    blocks.map(({ id }) => {
      const { x = 0, y = 0 } = graph.node(id)
      return [id, { x: snapToGrid(x - NODE_WIDTH / 2), y: snapToGrid(y - NODE_HEIGHT / 2) }]
    }),
  )
}
