import type { BlockCard, Canvas } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { TaskRun } from '@trellis/contract/runs/runs.schemas'

export const BLOCK = { width: 240, height: 96 } as const
const EDGE = 32
const GROUP = { side: 24, head: 40 } as const

interface Box {
  x: number
  y: number
  width: number
  height: number
}
export interface LiveLayout {
  width: number
  height: number
  blocks: { block: BlockCard; x: number; y: number }[]
  groups: (Box & { code: string; name: string })[]
  arrows: { key: string; to: string; path: string }[]
}

export function liveLayout({ blocks, groups }: Pick<Canvas, 'blocks' | 'groups'>): LiveLayout {
  const frames = groups.flatMap((group) => {
    const ownBlocks = blocks.filter(({ metadata }) => metadata.group_trellis_code === group.trellis_code)
    if (ownBlocks.length === 0) return []
    const x = Math.min(...ownBlocks.map(({ metadata }) => metadata.x)) - GROUP.side
    const y = Math.min(...ownBlocks.map(({ metadata }) => metadata.y)) - GROUP.head
    const right = Math.max(...ownBlocks.map(({ metadata }) => metadata.x)) + BLOCK.width + GROUP.side
    const bottom = Math.max(...ownBlocks.map(({ metadata }) => metadata.y)) + BLOCK.height + GROUP.side
    return [{ code: group.trellis_code, name: group.name, x, y, width: right - x, height: bottom - y }]
  })
  const boxes: Box[] = [...blocks.map(({ metadata }) => ({ x: metadata.x, y: metadata.y, ...BLOCK })), ...frames]
  if (boxes.length === 0) return { width: 0, height: 0, blocks: [], groups: [], arrows: [] }
  const left = Math.min(...boxes.map(({ x }) => x)) - EDGE
  const top = Math.min(...boxes.map(({ y }) => y)) - EDGE
  const placed = blocks
    .map((block) => ({ block, x: block.metadata.x - left, y: block.metadata.y - top }))
    .toSorted((a, b) => a.x - b.x || a.y - b.y)
  const byCode = new Map(placed.map((item) => [item.block.task_block_trellis_code, item]))
  return {
    width: Math.max(...boxes.map(({ x, width }) => x + width)) - left + EDGE,
    height: Math.max(...boxes.map(({ y, height }) => y + height)) - top + EDGE,
    blocks: placed,
    groups: frames.map((frame) => ({ ...frame, x: frame.x - left, y: frame.y - top })),
    arrows: placed.flatMap((to) =>
      to.block.waits_for.flatMap((code) => {
        const from = byCode.get(code)
        const key = `${code}>${to.block.task_block_trellis_code}`
        return from ? [{ key, to: to.block.task_block_trellis_code, path: arrowPath(from, to) }] : []
      }),
    ),
  }
}

function arrowPath(from: { x: number; y: number }, to: { x: number; y: number }): string {
  const [x1, y1] = [from.x + BLOCK.width, from.y + BLOCK.height / 2]
  const [x2, y2] = [to.x, to.y + BLOCK.height / 2]
  const bend = Math.max(40, Math.abs(x2 - x1) / 2)
  return `M${x1},${y1} C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`
}

/** Per block, an open run or else the latest. */
export function runsNow(runs: readonly TaskRun[]): Map<string, TaskRun> {
  const now = new Map<string, TaskRun>()
  for (const run of runs.filter(({ is_shadow }) => !is_shadow).toSorted((a, b) => a.due_at.localeCompare(b.due_at))) {
    const old = now.get(run.task_block_trellis_code)
    const isGoingOn = old?.finished_at === null && old.started_at !== null && run.started_at === null
    if (!isGoingOn) now.set(run.task_block_trellis_code, run)
  }
  return now
}
