import type { ActivityKind } from '@trellis/contract/dataflows/dataflow-words'
import { runDestination } from './destination.ts'
import type { Work } from './run-work.ts'
import { runSource } from './source.ts'
import { runTransformation } from './transformation.ts'

/** What an attempt of a block does, by the block's kind. */
export type WorkTable = Readonly<Partial<Record<ActivityKind, Work<never>>>>

export const ALL_WORK: WorkTable = {
  Source: runSource,
  Transformation: runTransformation,
  Destination: runDestination,
}
