import type { BlockFault } from '@trellis/contract/dataflows/task-blocks.schemas'
import type * as z from 'zod/mini'
import type { BlockConnection } from '../../integrations/connection/block-connections.service.ts'

export type Fault = z.infer<typeof BlockFault>

export interface FaultFacts {
  readonly connections: ReadonlyMap<string, BlockConnection>
  readonly activities: readonly string[]
  readonly today: string
}

export const missingFault = (path: string, message: string): Fault => ({ kind: 'missing', path, message })
export const invalidFault = (path: string, message: string): Fault => ({ kind: 'invalid', path, message })
