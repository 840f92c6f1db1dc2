import * as canvas from '@trellis/contract/dataflows/canvas.endpoints'
import type { ActivityKind } from '@trellis/contract/dataflows/dataflow-words'
import {
  type DestinationBlock,
  DestinationSettings,
  type SourceBlock,
  SourceSettings,
  type TransformationBlock,
  TransformationSettings,
} from '@trellis/contract/dataflows/task-blocks.schemas'
import type * as z from 'zod/mini'
import type { WorkspaceAddress } from '../../../../api/workspace-address.ts'
import { call } from '../../../../api/call.ts'

export type Block = z.infer<typeof SourceBlock> | z.infer<typeof TransformationBlock> | z.infer<typeof DestinationBlock>
export type Settings = Block['settings']
export type Parts = Record<string, unknown>

export const SETTINGS_SHAPES = {
  Source: SourceSettings,
  Transformation: TransformationSettings,
  Destination: DestinationSettings,
} as const

const READ = {
  Source: canvas.getSourceBlock,
  Transformation: canvas.getTransformationBlock,
  Destination: canvas.getDestinationBlock,
} as const

export interface BlockAddress extends WorkspaceAddress {
  task_block_trellis_code: string
}

export const getReadEndpoint = (kind: ActivityKind) => READ[kind]

export function readBlock(kind: ActivityKind, params: BlockAddress): Promise<Block> {
  if (kind === 'Source') return call(canvas.getSourceBlock, { params })
  if (kind === 'Transformation') return call(canvas.getTransformationBlock, { params })
  return call(canvas.getDestinationBlock, { params })
}

/** A partial update. */
export function saveBlock(
  kind: ActivityKind,
  { task_block_trellis_code, ...params }: BlockAddress,
  change: { version: number; settings: Parts },
): Promise<Block> {
  const body = { task_block_trellis_code, version: change.version, settings: change.settings }
  if (kind === 'Source') return call(canvas.updateSourceBlock, { params, body })
  if (kind === 'Transformation') return call(canvas.updateTransformationBlock, { params, body })
  return call(canvas.updateDestinationBlock, { params, body })
}
