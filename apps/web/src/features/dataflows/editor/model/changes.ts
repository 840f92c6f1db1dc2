import type { ActivityKind } from '@trellis/contract/dataflows/dataflow-words'
import type { BlockMetadata, Canvas } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { TriggerForm } from '@trellis/contract/dataflows/triggers'

export type Group = Canvas['groups'][number]
export type Places = Record<string, Partial<BlockMetadata>>
export interface BlockRef {
  code: string
  kind: ActivityKind
}
/** A trigger that lost an arrow with a deleted block, as it was before. */
export interface LostArrows extends BlockRef {
  before: TriggerForm
}

/** Everything that can be done to a canvas, as what was and what is. */
export type Change =
  /** Those of one `burst` are one step: a key held down. */
  | { kind: 'place'; from: Places; to: Places; burst?: string }
  | { kind: 'rename'; code: string; from: string; to: string }
  | { kind: 'trigger'; block: BlockRef; from: TriggerForm; to: TriggerForm }
  /** Blocks that came (`isThere`) or went. */
  | { kind: 'exist'; blocks: BlockRef[]; isThere: boolean; lost: LostArrows[] }
  /** Without `from` the group is new, without `to` it is taken away. */
  | { kind: 'group'; from: GroupWithBlocks | null; to: GroupWithBlocks | null }
  | { kind: 'several'; changes: Change[] }
export interface GroupWithBlocks {
  group: Group
  members: string[]
}

/** The change that takes another back. */
export function inverse(change: Change): Change {
  switch (change.kind) {
    case 'exist':
      return { ...change, isThere: !change.isThere }
    case 'several':
      return { ...change, changes: change.changes.toReversed().map(inverse) }
    default:
      return { ...change, from: change.to, to: change.from } as Change
  }
}

const count = (number: number, word: string) => (number === 1 ? `1 ${word}` : `${number} ${word}s`)

/** What was done, as the undo button tells it. */
export function changeWords(change: Change): string {
  switch (change.kind) {
    case 'place': {
      const moved = Object.values(change.to)
      if (moved.some((one) => one.note !== undefined)) return 'note'
      return moved.some((one) => one.x !== undefined) ? `moving ${count(moved.length, 'block')}` : 'grouping'
    }
    case 'rename':
      return `renaming to ${change.to}`
    case 'trigger':
      return 'changing arrows'
    case 'exist':
      return `${change.isThere ? 'adding' : 'deleting'} ${count(change.blocks.length, 'block')}`
    case 'group':
      return change.from === null ? 'grouping' : change.to === null ? 'ungrouping' : 'changing the group'
    case 'several':
      return change.changes[0] ? changeWords(change.changes[0]) : 'nothing'
  }
}
