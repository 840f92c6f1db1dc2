/** Block → upstream blocks. Unknown names are ignored: those blocks were deleted. */
export type Graph = ReadonlyMap<string, readonly string[]>

/** In the direction of the arrows, the first block again at the end. */
export function findCycle(graph: Graph): string[] | undefined {
  const visited = new Set<string>()
  for (const start of graph.keys()) {
    const cycle = findCycleFrom(graph, start, visited)
    if (cycle) return cycle
  }
  return undefined
}

/** Iterative: a chain of thousands of blocks would overflow the stack. */
function findCycleFrom(graph: Graph, start: string, visited: Set<string>): string[] | undefined {
  const path: { id: string; next: number }[] = []
  const onPath = new Set<string>()
  const pushOnPath = (id: string) => {
    path.push({ id, next: 0 })
    onPath.add(id)
  }
  if (!visited.has(start)) pushOnPath(start)
  for (let current = path.at(-1); current; current = path.at(-1)) {
    const upstreamId = (graph.get(current.id) ?? [])[current.next++]
    if (upstreamId === undefined) {
      visited.add(current.id)
      onPath.delete(current.id)
      path.pop()
    } else if (onPath.has(upstreamId)) {
      const pathFromUpstream = path.slice(path.findIndex(({ id }) => id === upstreamId)).map(({ id }) => id)
      return [upstreamId, ...pathFromUpstream.toReversed()]
    } else if (graph.has(upstreamId) && !visited.has(upstreamId)) pushOnPath(upstreamId)
  }
  return undefined
}

export const formatCycle = (cycle: readonly string[], getName: (id: string) => string): string =>
  `A block can't wait for itself: ${cycle.map(getName).join(' → ')}. Take one of these arrows away.`

/** Otherwise in the given order. Blocks of a cycle are left out. */
export function sortTopologically(graph: Graph): string[] {
  const downstream = buildDownstreamGraph(graph)
  const upstreamCounts = new Map([...graph].map(([id, upstreamId]) => [id, listKnownIds(graph, upstreamId).length]))
  const order = [...upstreamCounts].flatMap(([id, count]) => (count === 0 ? [id] : []))
  for (const id of order) {
    for (const next of downstream.get(id) ?? []) {
      const openCount = (upstreamCounts.get(next) ?? 0) - 1
      upstreamCounts.set(next, openCount)
      if (openCount === 0) order.push(next)
    }
  }
  return order
}

export interface PlannedBlock {
  readonly id: string
  readonly waitsFor: readonly string[]
}

export function planRunFrom(graph: Graph, start: string): PlannedBlock[] {
  const members = findReachable(buildDownstreamGraph(graph), start)
  return sortTopologically(graph)
    .filter((id) => members.has(id))
    .map((id) => ({
      id,
      waitsFor: listKnownIds(graph, graph.get(id) ?? []).filter((upstreamId) => members.has(upstreamId)),
    }))
}

const listKnownIds = (graph: Graph, ids: readonly string[]): string[] => [...new Set(ids)].filter((id) => graph.has(id))

function buildDownstreamGraph(graph: Graph): Map<string, string[]> {
  const downstream = new Map<string, string[]>([...graph.keys()].map((id) => [id, []]))
  for (const [id, upstreamId] of graph)
    for (const from of listKnownIds(graph, upstreamId)) downstream.get(from)?.push(id)
  return downstream
}

function findReachable(arrows: Graph, start: string): Set<string> {
  const members = new Set(arrows.has(start) ? [start] : [])
  for (const id of members) for (const next of arrows.get(id) ?? []) if (arrows.has(next)) members.add(next)
  return members
}
