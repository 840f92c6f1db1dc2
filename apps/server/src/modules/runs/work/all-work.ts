import type { ActivityKind } from '@trellis/contract/dataflows/dataflow-words'
import type { Work } from './run-work.ts'
import { runSource } from './source.ts'

/** What an attempt of a block does, by the block's kind. */
export type WorkTable = Readonly<Partial<Record<ActivityKind, Work<never>>>>

export const ALL_WORK: WorkTable = { Source: runSource }
