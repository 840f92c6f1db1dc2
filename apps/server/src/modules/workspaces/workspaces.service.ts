import { getPlanLimits } from '@trellis/contract/billing/plans'
import type { WorkspaceRole } from '@trellis/contract/core/permissions'
import type { Workspace } from '@trellis/contract/workspaces/workspaces.schemas'
import { platformTables, transaction } from '@trellis/control-db/database'
import { enqueue } from '@trellis/jobs/enqueue'
import { AppError } from '../../platform/app-error.ts'
import type { AccountCtx, SystemCtx, WorkspaceCtx } from '../../platform/ctx.ts'
import { generateTrellisCode } from '../../platform/trellis-code.ts'
import { lockAccount } from '../../platform/lock-account.ts'
import { createFirstProject } from '../worksheets/worksheets.service.ts'
import { provisionWorkspace } from './workspaces.jobs.ts'
import {
  countWorkspaces,
  findLiving,
  findWorkspaces,
  insertWorkspace,
  lockWorkspaceName,
  markDeleted,
  renameWorkspace,
  toWorkspace,
} from './workspaces.repository.ts'

const LIMIT_TEXT = 'Workspace limit reached. Please upgrade your plan to create additional workspaces.'

/** Counts under the account's lock, so that concurrent requests cannot exceed the limit. */
export async function createWorkspace(
  ctx: AccountCtx,
  body: { name: string; workspace_address: string },
): Promise<Workspace> {
  return await transaction(ctx, async (ctx) => {
    const account = await lockAccount(ctx)
    const limit = getPlanLimits(account.account_type).workspaces
    if (limit !== null && (await countWorkspaces(ctx, ctx.account.id)) >= limit)
      throw new AppError('limit_reached', LIMIT_TEXT)
    const row = await insertWorkspace(ctx, {
      trellis_code: generateTrellisCode(),
      name: body.name,
      workspace_address: body.workspace_address,
      created_by: ctx.actor.profileId,
    })
    if (!row) {
      throw new AppError('address_taken', 'This address is taken in the account. Choose another one.', {
        source: { pointer: '/workspace_address' },
      })
    }
    await createFirstProject(ctx, { workspaceId: row.id, createdBy: ctx.actor.profileId })
    await enqueue(ctx, provisionWorkspace, { workspace_id: row.id })
    ctx.http.addAuditDetail({ name: body.name })
    return toWorkspace(row, ctx.account.code)
  })
}

export async function addWorkspace(
  ctx: SystemCtx,
  about: { accountId: number; name: string; address: string; createdBy: number },
): Promise<{ id: number; code: string } | undefined> {
  const row = await insertWorkspace(
    { db: platformTables(ctx), account: { id: about.accountId } },
    {
      trellis_code: generateTrellisCode(),
      name: about.name,
      workspace_address: about.address,
      created_by: about.createdBy,
    },
  )
  if (!row) return undefined
  await enqueue(ctx, provisionWorkspace, { workspace_id: row.id })
  return { id: row.id, code: row.trellis_code }
}

const visibleTo = (ctx: AccountCtx) => (ctx.account.role === 'account_view' ? { visibleTo: ctx.actor.profileId } : {})

export async function listWorkspaces(ctx: AccountCtx): Promise<Workspace[]> {
  return (await findWorkspaces(ctx, visibleTo(ctx))).map((row) => toWorkspace(row, ctx.account.code))
}

/** An id of 0 looks up by address only. */
export async function getWorkspace(
  ctx: AccountCtx,
  where: { id: number; address: string | undefined },
): Promise<Workspace> {
  const [row] = await findWorkspaces(ctx, {
    ...visibleTo(ctx),
    ...(where.id > 0 ? { id: where.id } : { address: where.address ?? '' }),
  })
  if (!row) throw new AppError('not_found', 'There is no such workspace, or you have no access to it.')
  return toWorkspace(row, ctx.account.code)
}

export async function updateWorkspace(ctx: WorkspaceCtx, body: { name: string }): Promise<Workspace> {
  return await transaction(ctx, async (ctx) => {
    const from = await lockWorkspaceName(ctx, ctx.workspace.id)
    ctx.http.addAuditDetail({ from, to: body.name })
    return toWorkspace(await renameWorkspace(ctx, ctx.workspace.id, body.name), ctx.account.code)
  })
}

export async function deleteWorkspace(ctx: AccountCtx, address: string): Promise<{ done: true }> {
  const name = await markDeleted(ctx, address, ctx.actor.profileId)
  if (name === undefined) throw new AppError('not_found', 'There is no such workspace, or you have no access to it.')
  ctx.http.addAuditDetail({ name })
  return { done: true }
}

export async function getOwnContext(ctx: WorkspaceCtx) {
  const [workspace] = await findWorkspaces(ctx, { id: ctx.workspace.id })
  if (!workspace) throw new AppError('not_found')
  return {
    workspace: { name: workspace.name, workspace_address: workspace.workspace_address },
    role: ctx.workspace.role,
  }
}

export async function findWorkspaceIds(ctx: AccountCtx): Promise<Map<string, number>> {
  return new Map((await findWorkspaces(ctx)).map((row) => [row.trellis_code, row.id]))
}

export async function omitDeletedWorkspaces<R extends { workspace_id: number; role: WorkspaceRole }>(
  ctx: SystemCtx,
  given: R[],
): Promise<R[]> {
  if (given.length === 0) return []
  const living = await findLiving(
    ctx,
    given.map((item) => item.workspace_id),
  )
  return given.filter((item) => living.has(item.workspace_id))
}

export { countWorkspaces } from './workspaces.repository.ts'
export { GRACE_DAYS } from './grace.ts'
