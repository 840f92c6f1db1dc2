import type { ActivityKind } from '@trellis/contract/dataflows/dataflow-words'
import type { BlockCard, BlockMetadata } from '@trellis/contract/dataflows/task-blocks.schemas'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { generateTrellisCode } from '../../platform/trellis-code.ts'
import { managedCode } from '../../platform/workspace-database/open-database.ts'
import { listBlockConnections } from '../integrations/connection/block-connections.service.ts'
import { assertSettingsFit, assertWorkspaceRoom } from './blocks/workspace-room.ts'
import { assertNoCycle, getDraftTrigger, buildGraph } from './block-graph.ts'
import { type Settings, startSettings } from '@trellis/contract/dataflows/start-settings'
import { type SettingsChange, applySettingsChange, formatSettings } from './block-settings.ts'
import {
  type BlockRow,
  findBlock,
  findBlocks,
  insertBlock,
  lockBlockRows,
  updateBlock,
  updateDraft,
} from './blocks.repository.ts'
import { readCanvasFacts } from './canvas-facts.ts'
import { NO_SUCH_BLOCK, groupNotFoundError } from './canvas.service.ts'
import { touchDataflow } from './dataflows.repository.ts'
import { getLockedDataflow } from './dataflows.service.ts'
import { findGroups } from './groups.repository.ts'
import { toBlockCard } from './show-block.ts'

export const MAX_BLOCKS = 1000

export type BlockResponse<K extends ActivityKind, S> = Omit<BlockCard, 'kind'> & { kind: K; settings: S }

export async function getBlockRow(ctx: WorkspaceCtx, code: string): Promise<BlockRow> {
  const row = await findBlock(ctx, code)
  if (!row) throw new AppError('not_found', NO_SUCH_BLOCK)
  return row
}

export async function getBlock<K extends ActivityKind, S extends Settings>(
  ctx: WorkspaceCtx,
  kind: K,
  code: string,
): Promise<BlockResponse<K, S>> {
  const row = await getBlockRow(ctx, code)
  if (row.kind !== kind) throw new AppError('not_found', NO_SUCH_BLOCK)
  const facts = await readCanvasFacts(ctx, await findBlocks(ctx, row.dataflow_id))
  return { ...toBlockCard(row, facts), kind, settings: row.settings as S }
}

export interface BlockInDataflow {
  readonly block: BlockRow
  readonly blocks: readonly BlockRow[]
}

export async function getLockedBlock(
  ctx: WorkspaceCtx,
  code: string,
  { isWithOthers = false } = {},
): Promise<BlockInDataflow> {
  const blockRow = await getBlockRow(ctx, code)
  await getLockedDataflow(ctx, blockRow.dataflow_code)
  await lockBlockRows(ctx, isWithOthers ? { dataflow_id: blockRow.dataflow_id } : { id: blockRow.id })
  const blocks = await findBlocks(ctx, blockRow.dataflow_id)
  const block = blocks.find(({ id }) => id === blockRow.id)
  if (!block) throw new AppError('not_found', NO_SUCH_BLOCK)
  return { block, blocks }
}

export interface NewBlockBody {
  readonly dataflow_trellis_code: string
  readonly name: string
  readonly metadata: BlockMetadata
  readonly settings?: SettingsChange | undefined
}

export async function createBlock<K extends ActivityKind, S extends Settings>(
  ctx: WorkspaceCtx,
  kind: K,
  body: NewBlockBody,
): Promise<BlockResponse<K, S>> {
  return await transaction(ctx, async (ctx) => {
    const dataflow = await getLockedDataflow(ctx, body.dataflow_trellis_code)
    const blocks = await findBlocks(ctx, dataflow.id)
    assertBlockRoom(blocks)
    await assertWorkspaceRoom(ctx)
    const { x, y, note, group_trellis_code } = body.metadata
    const settings = applySettingsChange(
      startSettings(kind, managedCode(ctx.workspace.code)),
      body.settings ?? {},
      blocks.map(({ trellis_code }) => trellis_code),
    )
    await assertSettingsFit(ctx, null, settings)
    const trellis_code = generateTrellisCode()
    await insertBlock(ctx, {
      trellis_code,
      dataflow_id: dataflow.id,
      kind,
      name: findFreeName(body.name, blocks),
      x,
      y,
      note,
      group_id: await getGroupId(ctx, dataflow.id, group_trellis_code),
      file_key: null,
      settings,
      integration_id: await getConnectionId(ctx, settings.integration_trellis_code),
    })
    await touchDataflow(ctx, dataflow.id)
    addBlockToAudit(ctx, { trellis_code, name: body.name, dataflow_code: dataflow.trellis_code })
    return await getBlock<K, S>(ctx, kind, trellis_code)
  })
}

export function assertBlockRoom(blocks: readonly BlockRow[]): void {
  if (blocks.length < MAX_BLOCKS) return
  throw new AppError('limit_reached', `A dataflow can have ${MAX_BLOCKS} blocks. Delete one that is not needed.`)
}

const isSameName = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
const isNameTaken = (name: string, blocks: readonly BlockRow[]) => blocks.some((block) => isSameName(block.name, name))

export function findFreeName(desiredName: string, blocks: readonly BlockRow[]): string {
  if (!isNameTaken(desiredName, blocks)) return desiredName
  const baseName = desiredName.replace(/ \d+$/, '').slice(0, 90)
  for (let suffix = 2; ; suffix++) {
    const name = `${baseName} ${suffix}`
    if (!isNameTaken(name, blocks)) return name
  }
}

async function getGroupId(ctx: WorkspaceCtx, dataflowId: number, code: string | null): Promise<number | null> {
  if (code === null) return null
  const group = (await findGroups(ctx, dataflowId)).find(({ trellis_code }) => trellis_code === code)
  if (!group) throw groupNotFoundError()
  return group.id
}

async function getConnectionId(ctx: WorkspaceCtx, code: string | null): Promise<number | null> {
  if (code === null) return null
  const connection = (await listBlockConnections(ctx)).get(code)
  if (!connection) throw new AppError('not_found', 'There is no such connection.')
  return connection.id
}

export interface BlockChange {
  readonly task_block_trellis_code: string
  readonly version: number
  readonly settings: SettingsChange
}

export async function changeBlock<K extends ActivityKind, S extends Settings>(
  ctx: WorkspaceCtx,
  kind: K,
  { task_block_trellis_code: code, version, settings: change }: BlockChange,
): Promise<BlockResponse<K, S>> {
  return await transaction(ctx, async (ctx) => {
    const { block, blocks } = await getLockedBlock(ctx, code)
    if (block.kind !== kind) throw new AppError('not_found', NO_SUCH_BLOCK)
    assertVersion(block, version)
    const activities = blocks.map(({ trellis_code }) => trellis_code)
    const settings = applySettingsChange(block.settings, change, activities)
    if (formatSettings(settings) !== formatSettings(block.settings)) await writeDraft(ctx, { block, blocks }, settings)
    return await getBlock<K, S>(ctx, kind, code)
  })
}

export async function writeDraft(
  ctx: WorkspaceCtx,
  { block, blocks }: BlockInDataflow,
  settings: Settings,
): Promise<void> {
  assertNoCycle(buildGraph(blocks, getDraftTrigger, new Map([[block.trellis_code, settings.trigger]])), blocks)
  await assertSettingsFit(ctx, block.id, settings)
  const hasSameConnection = settings.integration_trellis_code === block.settings.integration_trellis_code
  await updateDraft(ctx, block.id, {
    settings,
    version: block.version + 1,
    ...(!hasSameConnection && { integration_id: await getConnectionId(ctx, settings.integration_trellis_code) }),
  })
  await touchDataflow(ctx, block.dataflow_id)
  addBlockToAudit(ctx, block)
}

export function assertVersion(block: BlockRow, version: number): void {
  if (block.version === version) return
  const author = block.updated_by ?? 'Somebody'
  throw new AppError('conflict', `${author} changed "${block.name}" meanwhile. Load it again, then change it.`)
}

export async function renameBlock(
  ctx: WorkspaceCtx,
  { task_block_trellis_code: code, name }: { task_block_trellis_code: string; name: string },
): Promise<{ done: true }> {
  return await transaction(ctx, async (ctx) => {
    const { block, blocks } = await getLockedBlock(ctx, code)
    const otherBlocks = blocks.filter(({ id }) => id !== block.id)
    if (isNameTaken(name, otherBlocks)) {
      throw new AppError('conflict', `Another block of this dataflow is called "${name}". Choose another name.`, {
        source: { pointer: '/name' },
      })
    }
    await updateBlock(ctx, block.id, { name })
    await touchDataflow(ctx, block.dataflow_id)
    addBlockToAudit(ctx, { ...block, name })
    return { done: true }
  })
}

export const addBlockToAudit = (
  ctx: WorkspaceCtx,
  block: Pick<BlockRow, 'trellis_code' | 'name' | 'dataflow_code'>,
): void => ctx.http.addAuditDetail({ dataflow: block.dataflow_code, block: block.trellis_code, name: block.name })
