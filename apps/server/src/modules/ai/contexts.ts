import { replaceParametersByNull } from '@trellis/assistant/verified/parameters'
import { AI_PAGE } from '@trellis/contract/ai/ai.schemas'
import type * as schemas from '@trellis/contract/ai/ai.schemas'
import type * as z from 'zod/mini'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { generateTrellisCode } from '../../platform/trellis-code.ts'
import { managedCode } from '../../platform/workspace-database/open-database.ts'
import {
  type ContextRow,
  countContexts,
  deleteContextRow,
  findContext,
  findContexts,
  insertContext,
  updateContextRow,
} from './contexts.repository.ts'
import { toPaging } from '../../platform/paging.ts'
import { getProjectRow } from '../ai-projects/projects.service.ts'
import { findProjectTables } from '../ai-projects/projects.service.ts'
import { assertMetric } from './metrics/check-metric.ts'
import { explainQuery } from './tools/run-sql.service.ts'

const toContext = ({
  id: _,
  project_id: __,
  project_code,
  integration_code,
  ...row
}: ContextRow): schemas.BusinessContext => {
  const { trellis_code, created_at, updated_at, ...rest } = row
  return {
    ...rest,
    context_trellis_code: trellis_code,
    project_trellis_code: project_code,
    integration_trellis_code: integration_code,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}

async function getRow(ctx: WorkspaceCtx, code: string): Promise<ContextRow> {
  const row = await findContext(ctx, code)
  if (!row) throw new AppError('not_found', 'There is nothing at this address, or you have no access to it.')
  return row
}

interface CheckedSql {
  readonly kind: ContextRow['kind']
  readonly name: string
  readonly projectId: number
  readonly integrationCode: string
  readonly sql: string
}

const hasSql = (kind: ContextRow['kind']): boolean => kind === 'verified_question' || kind === 'metric'

async function assertAnswers(
  ctx: WorkspaceCtx,
  { kind, name, projectId, integrationCode, sql }: CheckedSql,
): Promise<void> {
  const place = { projectId, integrationCode, signal: ctx.http.signal }
  if (kind === 'metric') return await assertMetric(ctx, place, { name, sql })
  const tables = (await findProjectTables(ctx, projectId)).filter(
    ({ integration_code }) => integration_code === integrationCode,
  )
  const refusal = await explainQuery(ctx, { integrationCode, tables, sql: replaceParametersByNull(sql) })
  if (refusal) throw new AppError('invalid_request', refusal, { source: { pointer: '/sql' } })
}

const missingFieldError = (field: string, detail: string) =>
  new AppError('invalid_request', detail, { source: { pointer: `/${field}` } })

export async function createBusinessContext(
  ctx: WorkspaceCtx,
  body: schemas.CreateBusinessContextRequest,
): Promise<schemas.BusinessContext> {
  const { project_trellis_code, kind, name, text } = body
  const project = project_trellis_code === undefined ? undefined : await getProjectRow(ctx, project_trellis_code)
  const what = kind === 'metric' ? 'A metric' : 'A verified question'
  const integrationCode = body.integration_trellis_code ?? managedCode(ctx.workspace.code)
  if (hasSql(kind)) {
    if (!project) throw missingFieldError('project_trellis_code', `${what} belongs to a project.`)
    if (body.sql === undefined) throw missingFieldError('sql', `${what} needs its SQL.`)
    await assertAnswers(ctx, { kind, name, projectId: project.id, integrationCode, sql: body.sql })
  }
  if (kind === 'synonym' && text.trim() === '')
    throw missingFieldError('text', 'Write the other words, separated by commas.')
  const trellis_code = generateTrellisCode()
  const row = {
    trellis_code,
    project_id: project?.id ?? null,
    kind,
    name,
    text,
    sql: hasSql(kind) ? (body.sql ?? null) : null,
    integration_code: hasSql(kind) ? integrationCode : null,
  }
  await insertContext(ctx, row, ctx.actor.profileId)
  return toContext(await getRow(ctx, trellis_code))
}

export async function listBusinessContexts(
  ctx: WorkspaceCtx,
  { page = 1 }: { page?: number | undefined },
): Promise<z.infer<typeof schemas.BusinessContexts>> {
  const paging = toPaging({ total: await countContexts(ctx), page, size: AI_PAGE })
  const rows = await findContexts(ctx, paging)
  return { items: rows.map((row) => toContext(row)), page: paging.page, pages: paging.pages, total: paging.total }
}

export async function getBusinessContext(ctx: WorkspaceCtx, code: string): Promise<schemas.BusinessContext> {
  return toContext(await getRow(ctx, code))
}

export async function updateBusinessContext(
  ctx: WorkspaceCtx,
  code: string,
  { name, text, sql }: schemas.UpdateBusinessContextRequest,
): Promise<schemas.BusinessContext> {
  const row = await getRow(ctx, code)
  const isChecked = sql !== undefined && hasSql(row.kind) && row.project_id !== null
  if (isChecked && row.project_id !== null && row.integration_code !== null) {
    const place = { projectId: row.project_id, integrationCode: row.integration_code }
    await assertAnswers(ctx, { ...place, kind: row.kind, name: name ?? row.name, sql })
  }
  await updateContextRow(ctx, row.id, {
    ...(name !== undefined && { name }),
    ...(text !== undefined && { text }),
    ...(isChecked && { sql, problem: null }),
    updated_at: ctx.clock.now(),
  })
  return await getBusinessContext(ctx, code)
}

export async function deleteBusinessContext(ctx: WorkspaceCtx, code: string): Promise<{ done: true }> {
  const { id } = await getRow(ctx, code)
  await deleteContextRow(ctx, id)
  return { done: true }
}
