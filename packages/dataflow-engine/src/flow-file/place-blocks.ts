import { sortTopologically } from '../graph/graph.ts'
import type { FileBlock, FlowFile, PlacedFlow } from './flow-file.ts'

const COLUMN_WIDTH = 320
const ROW_HEIGHT = 160

/** Blocks without a position keep theirs; new ones go to the right of their upstream, below the others. */
export function positionBlocks(file: FlowFile, previousFile: FlowFile | undefined): PlacedFlow {
  const { blocks = {} } = file
  const knownPositions = new Map(
    Object.entries({ ...previousFile?.blocks, ...blocks }).flatMap(([key, { at = previousFile?.blocks?.[key]?.at }]) =>
      at ? [[key, at] as const] : [],
    ),
  )
  const firstFreeRow =
    knownPositions.size === 0 ? 0 : Math.max(...[...knownPositions.values()].map(([, y]) => y)) + ROW_HEIGHT
  const columns = computeColumns(blocks)
  const blocksPerColumn = new Map<number, number>()
  const getNextPosition = (key: string): [number, number] => {
    const column = columns.get(key) ?? 0
    const row = blocksPerColumn.get(column) ?? 0
    blocksPerColumn.set(column, row + 1)
    return [column * COLUMN_WIDTH, firstFreeRow + row * ROW_HEIGHT]
  }
  const positionedBlocks = Object.entries(blocks).map(([key, block]) => [
    key,
    { ...block, at: knownPositions.get(key) ?? getNextPosition(key) },
  ])
  return {
    ...file,
    ...(file.blocks && { blocks: Object.fromEntries(positionedBlocks) as PlacedFlow['blocks'] }),
  } as PlacedFlow
}

/** Depth of each block; those of a cycle, which is refused later, have depth 0. */
function computeColumns(blocks: Readonly<Record<string, FileBlock>>): Map<string, number> {
  const upstream = new Map(Object.entries(blocks).map(([key, block]) => [key, listUpstream(block)]))
  const columns = new Map<string, number>()
  for (const key of sortTopologically(upstream)) {
    const upstreamColumns = (upstream.get(key) ?? []).map((item) => columns.get(item) ?? -1)
    columns.set(key, Math.max(-1, ...upstreamColumns) + 1)
  }
  return columns
}

const listUpstream = ({ trigger }: FileBlock): string[] =>
  Object.values(trigger ?? {})
    .flat()
    .flatMap((action) => ('after' in action ? [action.after] : []))
