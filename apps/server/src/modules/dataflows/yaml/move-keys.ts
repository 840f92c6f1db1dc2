import type { FlowAsFile } from './export-yaml.ts'
import type { FileBlock, FileTrigger, FlowFile } from '@trellis/dataflow-engine/flow-file/flow-file'

interface MovedKeys {
  readonly before: FlowAsFile
  readonly moves: readonly { readonly name: string; readonly from: string; readonly to: string }[]
}

/** Ignores renames already applied, so `moved` may stay in the file. */
export function moveKeys(previousFlow: FlowAsFile, { moved = {} }: FlowFile): MovedKeys {
  const moves = Object.entries(moved).flatMap(([from, to]) => {
    const row = previousFlow.blocks.get(from)
    return row && !previousFlow.blocks.has(to) ? [{ name: row.name, from, to }] : []
  })
  if (moves.length === 0) return { before: previousFlow, moves }
  const newKeys = new Map(moves.map(({ from, to }) => [from, to]))
  const toNewKey = (key: string) => newKeys.get(key) ?? key
  const blocks = Object.entries(previousFlow.file.blocks ?? {}).map(([key, block]) => [
    toNewKey(key),
    replaceTriggerKeys(block, toNewKey),
  ])
  return {
    before: {
      ...previousFlow,
      file: { ...previousFlow.file, blocks: Object.fromEntries(blocks) as FlowFile['blocks'] },
      blocks: new Map([...previousFlow.blocks].map(([key, row]) => [toNewKey(key), row])),
    },
    moves,
  }
}

function replaceTriggerKeys(block: FileBlock, toNewKey: (key: string) => string): FileBlock {
  if (!block.trigger) return block
  const [scope, actions] =
    'all' in block.trigger ? (['all', block.trigger.all] as const) : (['any', block.trigger.any] as const)
  const renamedActions = actions.map((action) => ('after' in action ? { after: toNewKey(action.after) } : action))
  return { ...block, trigger: { [scope]: renamedActions } as unknown as FileTrigger }
}
