import type { ActivityKind } from '@trellis/contract/dataflows/dataflow-words'
import type { BlockMetadata, Canvas } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { TriggerForm } from '@trellis/contract/dataflows/triggers'

export type Group = Canvas['groups'][number]
export type Places = Record<string, Partial<BlockMetadata>>
export interface BlockRef {
  code: string
  kind: ActivityKind
}
export interface LostArrows extends BlockRef {
  before: TriggerForm
}

export type Change =
  /** Changes with the same `burst`, e.g. a key held down, are one undo step. */
  | { kind: 'place'; from: Places; to: Places; burst?: string }
  | { kind: 'rename'; code: string; from: string; to: string }
  | { kind: 'trigger'; block: BlockRef; from: TriggerForm; to: TriggerForm }
  /** Blocks were created (`isThere`) or deleted. */
  | { kind: 'exist'; blocks: BlockRef[]; isThere: boolean; lost: LostArrows[] }
  /** Without `from` the group is created, without `to` deleted. */
  | { kind: 'group'; from: GroupWithBlocks | null; to: GroupWithBlocks | null }
  | { kind: 'several'; changes: Change[] }
export interface GroupWithBlocks {
  group: Group
  members: string[]
}

export function invertChange(change: Change): Change {
  switch (change.kind) {
    case 'exist':
      return { ...change, isThere: !change.isThere }
    case 'several':
      return { ...change, changes: change.changes.toReversed().map(invertChange) }
    default:
      return { ...change, from: change.to, to: change.from } as Change
  }
}

const count = (number: number, word: string) => (number === 1 ? `1 ${word}` : `${number} ${word}s`)

export function describeChange(change: Change): string {
  switch (change.kind) {
    case 'place': {
      const moved = Object.values(change.to)
      if (moved.some((item) => item.note !== undefined)) return 'note'
      return moved.some((item) => item.x !== undefined) ? `moving ${count(moved.length, 'block')}` : 'grouping'
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
      return change.changes[0] ? describeChange(change.changes[0]) : 'nothing'
  }
}
