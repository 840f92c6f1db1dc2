import type { GROUP_COLORS } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { Canvas, CanvasGroup } from '@trellis/contract/dataflows/task-blocks.schemas'
import { transaction } from '@trellis/control-db/database'
import type * as z from 'zod/mini'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { generateTrellisCode } from '../../platform/trellis-code.ts'
import { findBlocks } from './blocks.repository.ts'
import { readCanvasFacts } from './canvas-facts.ts'
import { touchDataflow } from './dataflows.repository.ts'
import { getDataflowRow, getLockedDataflow } from './dataflows.service.ts'
import {
  type GroupRow,
  deleteGroupRows,
  findGroup,
  findGroups,
  insertGroup,
  moveIntoGroup,
  updateGroupRow,
} from './groups.repository.ts'
import { toBlockCard } from './show-block.ts'

type Group = z.infer<typeof CanvasGroup>

const MAX_GROUPS = 200

export async function getCanvas(ctx: WorkspaceCtx, code: string): Promise<Canvas> {
  const dataflow = await getDataflowRow(ctx, code)
  const blocks = await findBlocks(ctx, dataflow.id)
  const facts = await readCanvasFacts(ctx, blocks)
  const groups = await findGroups(ctx, dataflow.id)
  return {
    dataflow_trellis_code: dataflow.trellis_code,
    name: dataflow.name,
    blocks: blocks.map((block) => toBlockCard(block, facts)),
    groups: groups.map(toGroup),
  }
}

const toGroup = ({ trellis_code, name, color, note, is_folded }: GroupRow): Group => ({
  trellis_code,
  name,
  color: color as Group['color'],
  note,
  is_folded,
})

export interface GroupPut {
  readonly dataflow_trellis_code: string
  readonly trellis_code?: string | undefined
  readonly name: string
  readonly color: (typeof GROUP_COLORS)[number]
  readonly note?: string | undefined
  readonly is_folded?: boolean | undefined
  readonly task_block_trellis_codes?: readonly string[] | undefined
}

export async function putGroup(ctx: WorkspaceCtx, body: GroupPut): Promise<Group> {
  return await transaction(ctx, async (ctx) => {
    const dataflow = await getLockedDataflow(ctx, body.dataflow_trellis_code)
    const groups = await findGroups(ctx, dataflow.id)
    const group = await writeGroup(ctx, body, { dataflowId: dataflow.id, groups })
    const codes = new Set(body.task_block_trellis_codes ?? [])
    if ((await moveIntoGroup(ctx, group, [...codes])) < codes.size) throw new AppError('not_found', NO_SUCH_BLOCK)
    await touchDataflow(ctx, dataflow.id)
    ctx.http.addAuditDetail({ dataflow: dataflow.trellis_code, group: group.name })
    return toGroup(group)
  })
}

export const NO_SUCH_BLOCK = 'There is no such block.'
export const groupNotFoundError = () => new AppError('not_found', 'There is no such group.')

async function writeGroup(
  ctx: WorkspaceCtx,
  body: GroupPut,
  { dataflowId, groups }: { dataflowId: number; groups: readonly GroupRow[] },
): Promise<GroupRow> {
  const { name, color, trellis_code } = body
  if (trellis_code === undefined) {
    if (groups.length >= MAX_GROUPS) {
      throw new AppError('limit_reached', `A dataflow can have ${MAX_GROUPS} groups. Take one away first.`)
    }
    const { note = '', is_folded = false } = body
    return await insertGroup(ctx, {
      dataflow_id: dataflowId,
      trellis_code: generateTrellisCode(),
      name,
      color,
      note,
      is_folded,
    })
  }
  const group = groups.find((candidate) => candidate.trellis_code === trellis_code)
  if (!group) throw groupNotFoundError()
  const { note = group.note, is_folded = group.is_folded } = body
  return await updateGroupRow(ctx, group.id, { name, color, note, is_folded })
}

export async function deleteGroup(ctx: WorkspaceCtx, code: string): Promise<{ done: true }> {
  return await transaction(ctx, async (ctx) => {
    const group = await findGroup(ctx, code)
    if (!group) throw groupNotFoundError()
    const dataflow = await getLockedDataflow(ctx, group.dataflow_code)
    await deleteGroupRows(ctx, [group.id])
    await touchDataflow(ctx, dataflow.id)
    ctx.http.addAuditDetail({ dataflow: dataflow.trellis_code, group: group.name })
    return { done: true }
  })
}

export async function deleteGroups(ctx: WorkspaceCtx, dataflow: string, codes: readonly string[]): Promise<void> {
  if (codes.length === 0) return
  await transaction(ctx, async (ctx) => {
    const { id } = await getLockedDataflow(ctx, dataflow)
    const removedGroups = (await findGroups(ctx, id)).filter(({ trellis_code }) => codes.includes(trellis_code))
    await deleteGroupRows(
      ctx,
      removedGroups.map((group) => group.id),
    )
    await touchDataflow(ctx, id)
  })
}
