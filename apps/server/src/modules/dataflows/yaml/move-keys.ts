import type { FlowAsFile } from './export-yaml.ts'
import type { FileBlock, FileTrigger, FlowFile } from '@trellis/dataflow-engine/flow-file/flow-file'

interface MovedKeys {
  readonly before: FlowAsFile
  readonly moves: readonly { readonly name: string; readonly from: string; readonly to: string }[]
}

/** Ignores renames already applied, so `moved` may stay in the file. */
export function moveKeys(before: FlowAsFile, { moved = {} }: FlowFile): MovedKeys {
  const moves = Object.entries(moved).flatMap(([from, to]) => {
    const row = before.blocks.get(from)
    return row && !before.blocks.has(to) ? [{ name: row.name, from, to }] : []
  })
  if (moves.length === 0) return { before, moves }
  const newKeys = new Map(moves.map(({ from, to }) => [from, to]))
  const toNew = (key: string) => newKeys.get(key) ?? key
  const blocks = Object.entries(before.file.blocks ?? {}).map(([key, block]) => [toNew(key), withKeys(block, toNew)])
  return {
    before: {
      ...before,
      file: { ...before.file, blocks: Object.fromEntries(blocks) as FlowFile['blocks'] },
      blocks: new Map([...before.blocks].map(([key, row]) => [toNew(key), row])),
    },
    moves,
  }
}

function withKeys(block: FileBlock, toNew: (key: string) => string): FileBlock {
  if (!block.trigger) return block
  const [way, actions] =
    'all' in block.trigger ? (['all', block.trigger.all] as const) : (['any', block.trigger.any] as const)
  const renamed = actions.map((action) => ('after' in action ? { after: toNew(action.after) } : action))
  return { ...block, trigger: { [way]: renamed } as unknown as FileTrigger }
}
