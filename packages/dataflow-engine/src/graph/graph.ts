/** Block → upstream blocks. Unknown names are ignored: those blocks were deleted. */
export type Graph = ReadonlyMap<string, readonly string[]>

/** In the direction of the arrows, the first block again at the end. */
export function findCycle(graph: Graph): string[] | undefined {
  const done = new Set<string>()
  for (const start of graph.keys()) {
    const cycle = findCycleFrom(graph, start, done)
    if (cycle) return cycle
  }
  return undefined
}

/** Iterative: a chain of thousands of blocks would overflow the stack. */
function findCycleFrom(graph: Graph, start: string, done: Set<string>): string[] | undefined {
  const path: { id: string; next: number }[] = []
  const onPath = new Set<string>()
  const enter = (id: string) => {
    path.push({ id, next: 0 })
    onPath.add(id)
  }
  if (!done.has(start)) enter(start)
  for (let top = path.at(-1); top; top = path.at(-1)) {
    const before = (graph.get(top.id) ?? [])[top.next++]
    if (before === undefined) {
      done.add(top.id)
      onPath.delete(top.id)
      path.pop()
    } else if (onPath.has(before)) {
      const circle = path.slice(path.findIndex(({ id }) => id === before)).map(({ id }) => id)
      return [before, ...circle.toReversed()]
    } else if (graph.has(before) && !done.has(before)) enter(before)
  }
  return undefined
}

export const formatCycle = (cycle: readonly string[], getName: (id: string) => string): string =>
  `A block can't wait for itself: ${cycle.map(getName).join(' → ')}. Take one of these arrows away.`

/** Otherwise in the given order. Blocks of a cycle are left out. */
export function sortTopologically(graph: Graph): string[] {
  const after = arrowsOut(graph)
  const open = new Map([...graph].map(([id, before]) => [id, listKnownIds(graph, before).length]))
  const order = [...open].flatMap(([id, count]) => (count === 0 ? [id] : []))
  for (const id of order) {
    for (const next of after.get(id) ?? []) {
      const left = (open.get(next) ?? 0) - 1
      open.set(next, left)
      if (left === 0) order.push(next)
    }
  }
  return order
}

export interface PlannedBlock {
  readonly id: string
  readonly waitsFor: readonly string[]
}

export function planRunFrom(graph: Graph, start: string): PlannedBlock[] {
  const members = reach(arrowsOut(graph), start)
  return sortTopologically(graph)
    .filter((id) => members.has(id))
    .map((id) => ({ id, waitsFor: listKnownIds(graph, graph.get(id) ?? []).filter((before) => members.has(before)) }))
}

const listKnownIds = (graph: Graph, ids: readonly string[]): string[] => [...new Set(ids)].filter((id) => graph.has(id))

function arrowsOut(graph: Graph): Map<string, string[]> {
  const after = new Map<string, string[]>([...graph.keys()].map((id) => [id, []]))
  for (const [id, before] of graph) for (const from of listKnownIds(graph, before)) after.get(from)?.push(id)
  return after
}

function reach(arrows: Graph, start: string): Set<string> {
  const members = new Set(arrows.has(start) ? [start] : [])
  for (const id of members) for (const next of arrows.get(id) ?? []) if (arrows.has(next)) members.add(next)
  return members
}
