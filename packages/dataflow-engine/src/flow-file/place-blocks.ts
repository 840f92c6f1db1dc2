import { sortTopologically } from '../graph/graph.ts'
import type { FileBlock, FlowFile, PlacedFlow } from './flow-file.ts'

const COLUMN_WIDTH = 320
const ROW_HEIGHT = 160

/** Blocks without a position keep theirs; new ones go to the right of their upstream, below the others. */
export function positionBlocks(file: FlowFile, before: FlowFile | undefined): PlacedFlow {
  const { blocks = {} } = file
  const known = new Map(
    Object.entries({ ...before?.blocks, ...blocks }).flatMap(([key, { at = before?.blocks?.[key]?.at }]) =>
      at ? [[key, at] as const] : [],
    ),
  )
  const top = known.size === 0 ? 0 : Math.max(...[...known.values()].map(([, y]) => y)) + ROW_HEIGHT
  const columns = getColumns(blocks)
  const filled = new Map<number, number>()
  const place = (key: string): [number, number] => {
    const column = columns.get(key) ?? 0
    const row = filled.get(column) ?? 0
    filled.set(column, row + 1)
    return [column * COLUMN_WIDTH, top + row * ROW_HEIGHT]
  }
  const placed = Object.entries(blocks).map(([key, block]) => [key, { ...block, at: known.get(key) ?? place(key) }])
  return { ...file, ...(file.blocks && { blocks: Object.fromEntries(placed) as PlacedFlow['blocks'] }) } as PlacedFlow
}

/** Depth of each block; those of a cycle, which is refused later, have depth 0. */
function getColumns(blocks: Readonly<Record<string, FileBlock>>): Map<string, number> {
  const upstream = new Map(Object.entries(blocks).map(([key, block]) => [key, listUpstream(block)]))
  const columns = new Map<string, number>()
  for (const key of sortTopologically(upstream)) {
    const before = (upstream.get(key) ?? []).map((item) => columns.get(item) ?? -1)
    columns.set(key, Math.max(-1, ...before) + 1)
  }
  return columns
}

const listUpstream = ({ trigger }: FileBlock): string[] =>
  Object.values(trigger ?? {})
    .flat()
    .flatMap((action) => ('after' in action ? [action.after] : []))
