import {
  createDestinationBlock,
  createSourceBlock,
  createTransformationBlock,
  getDestinationBlock,
  getSourceBlock,
  getTransformationBlock,
  updateDestinationBlock,
  updateSourceBlock,
  updateTransformationBlock,
} from '@trellis/contract/dataflows/canvas.endpoints'
import type { ActivityKind } from '@trellis/contract/dataflows/dataflow-words'
import type { BlockMetadata } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { TriggerForm } from '@trellis/contract/dataflows/triggers'
import type { WorkspaceAddress } from '../../../../api/workspace-address.ts'
import { call } from '../../../../api/call.ts'
import type { BlockRef } from '../model/changes.ts'

const GET = { Source: getSourceBlock, Transformation: getTransformationBlock, Destination: getDestinationBlock }
const CREATE = {
  Source: createSourceBlock,
  Transformation: createTransformationBlock,
  Destination: createDestinationBlock,
}
const UPDATE = {
  Source: updateSourceBlock,
  Transformation: updateTransformationBlock,
  Destination: updateDestinationBlock,
}

export interface DraftBlock {
  task_block_trellis_code: string
  name: string
  version: number
  settings: { trigger: TriggerForm; integration_trellis_code: string | null }
}

export const getBlock = (params: WorkspaceAddress, { code, kind }: BlockRef): Promise<DraftBlock> =>
  call(GET[kind] as typeof getSourceBlock, { params: { ...params, task_block_trellis_code: code } })

export const updateTrigger = (
  params: WorkspaceAddress,
  kind: ActivityKind,
  block: { task_block_trellis_code: string; version: number; trigger: TriggerForm },
): Promise<DraftBlock> => {
  const { trigger, ...rest } = block
  return call(UPDATE[kind] as typeof updateSourceBlock, { params, body: { ...rest, settings: { trigger } } })
}

export interface NewBlock {
  dataflow_trellis_code: string
  name: string
  metadata: BlockMetadata
  settings: Record<string, unknown>
}

export const createBlock = (params: WorkspaceAddress, kind: ActivityKind, body: NewBlock): Promise<DraftBlock> =>
  call(CREATE[kind] as typeof createSourceBlock, { params, body })
