import { NODE_HEIGHT, type Point } from './geometry.ts'

interface PlacedNode extends Point {
  id: string
}

/** Rows from top to bottom, each from left to right, with some tolerance. */
export function readingOrder(things: readonly PlacedNode[]): string[] {
  const rows: { y: number; things: PlacedNode[] }[] = []
  for (const placedNode of things.toSorted((a, b) => a.y - b.y || a.x - b.x)) {
    const row = rows.at(-1)
    if (row && placedNode.y - row.y < NODE_HEIGHT / 2) row.things.push(placedNode)
    else rows.push({ y: placedNode.y, things: [placedNode] })
  }
  return rows.flatMap((row) => row.things.toSorted((a, b) => a.x - b.x || a.y - b.y).map(({ id }) => id))
}

/** Undefined past an end, where focus leaves the canvas. */
export function findStepFrom(order: readonly string[], from: string | null, step: 1 | -1): string | undefined {
  const index = from === null ? -1 : order.indexOf(from)
  if (index === -1) return step === 1 ? order[0] : order.at(-1)
  return order[index + step]
}

interface DependentBlock {
  task_block_trellis_code: string
  waits_for: readonly string[]
}

export function wouldCreateCycle(blocks: readonly DependentBlock[], source: string, target: string): boolean {
  const waits = new Map(blocks.map((block) => [block.task_block_trellis_code, block.waits_for]))
  const visitedCodes = new Set<string>()
  const reaches = (code: string): boolean => {
    if (code === target) return true
    if (visitedCodes.has(code)) return false
    visitedCodes.add(code)
    return (waits.get(code) ?? []).some(reaches)
  }
  return reaches(source)
}
