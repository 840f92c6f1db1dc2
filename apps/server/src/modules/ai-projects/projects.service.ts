import { AI_PAGE } from '@trellis/contract/ai/ai.schemas'
import type * as schemas from '@trellis/contract/ai/ai.schemas'
import { transaction } from '@trellis/control-db/database'
import type * as z from 'zod/mini'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { generateTrellisCode } from '../../platform/trellis-code.ts'
import { type NamedTable, listTableNames } from '../explorer/table-names.service.ts'
import { toPaging } from '../../platform/paging.ts'
import {
  type AiProjectRow,
  type ProjectTable,
  countAiProjects,
  deleteAiProjectRow,
  findAiProject,
  findAiProjects,
  findProjectTables,
  insertAiProject,
  replaceProjectTables,
  updateAiProjectRow,
} from './projects.repository.ts'

export { type ProjectTable, findAiProjectById, findProjectTables, insertAiProject } from './projects.repository.ts'

const UNIQUE_VIOLATION = '23505'
const NOT_THERE = 'There is nothing at this address, or you have no access to it.'

const nameTakenError = () =>
  new AppError('conflict', 'An AI project with this name exists already.', { source: { pointer: '/name' } })

export async function getProjectRow(ctx: WorkspaceCtx, code: string): Promise<AiProjectRow> {
  const row = await findAiProject(ctx, code)
  if (!row) throw new AppError('not_found', NOT_THERE)
  return row
}

const toProject = ({ trellis_code, created_at, updated_at, id: _, ...row }: AiProjectRow): schemas.AiProject => ({
  ...row,
  project_trellis_code: trellis_code,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
})

export async function createAiProject(
  ctx: WorkspaceCtx,
  { name, description }: { name: string; description: string },
): Promise<schemas.AiProject> {
  const trellis_code = generateTrellisCode()
  const created_by = ctx.actor.profileId
  if (!(await insertAiProject(ctx, { trellis_code, name, description, created_by }))) throw nameTakenError()
  return toProject(await getProjectRow(ctx, trellis_code))
}

export async function listAiProjects(
  ctx: WorkspaceCtx,
  { page = 1 }: { page?: number | undefined },
): Promise<z.infer<typeof schemas.AiProjects>> {
  const paging = toPaging({ total: await countAiProjects(ctx), page, size: AI_PAGE })
  const rows = await findAiProjects(ctx, paging)
  return { items: rows.map((row) => toProject(row)), page: paging.page, pages: paging.pages, total: paging.total }
}

export async function getAiProject(ctx: WorkspaceCtx, code: string): Promise<schemas.AiProject> {
  return toProject(await getProjectRow(ctx, code))
}

export async function updateAiProject(
  ctx: WorkspaceCtx,
  code: string,
  { name, description }: z.infer<typeof schemas.AiProjectPatch>,
): Promise<schemas.AiProject> {
  const { id } = await getProjectRow(ctx, code)
  const change = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    updated_at: ctx.clock.now(),
  }
  await updateAiProjectRow(ctx, id, change).catch((error: unknown) => {
    throw (error as { code?: string }).code === UNIQUE_VIOLATION ? nameTakenError() : error
  })
  return await getAiProject(ctx, code)
}

export async function deleteAiProject(ctx: WorkspaceCtx, code: string): Promise<{ done: true }> {
  const { id } = await getProjectRow(ctx, code)
  await deleteAiProjectRow(ctx, id)
  return { done: true }
}

interface TablesParams {
  readonly project_trellis_code: string
  readonly integration_trellis_code: string
}

const toKey = (schema: string, name: string) => JSON.stringify([schema, name])

export async function getAiProjectTables(ctx: WorkspaceCtx, params: TablesParams): Promise<schemas.AiProjectTables> {
  const { id } = await getProjectRow(ctx, params.project_trellis_code)
  const code = params.integration_trellis_code
  const presentTableNames = await listTableNames(ctx, code)
  const chosen = (await findProjectTables(ctx, id)).filter(({ integration_code }) => integration_code === code)
  return { integration_trellis_code: code, tables: mergeTables(presentTableNames, chosen) }
}

function mergeTables(
  presentTables: readonly NamedTable[],
  chosen: readonly { schema_name: string; table_name: string }[],
): schemas.AiProjectTables['tables'] {
  const names = new Set(chosen.map(({ schema_name, table_name }) => toKey(schema_name, table_name)))
  const known = new Set(presentTables.map(({ schema, name }) => toKey(schema, name)))
  return [
    ...presentTables.map(({ schema, name, kind }) => ({
      schema_name: schema,
      table_name: name,
      kind,
      is_chosen: names.has(toKey(schema, name)),
    })),
    ...chosen
      .filter(({ schema_name, table_name }) => !known.has(toKey(schema_name, table_name)))
      .map(({ schema_name, table_name }) => ({ schema_name, table_name, kind: 'missing' as const, is_chosen: true })),
  ]
}

export async function updateAiProjectTables(
  ctx: WorkspaceCtx,
  params: TablesParams,
  { tables }: z.infer<typeof schemas.UpdateProjectTablesRequest>,
): Promise<schemas.AiProjectTables> {
  const { id } = await getProjectRow(ctx, params.project_trellis_code)
  const code = params.integration_trellis_code
  const present = new Set((await listTableNames(ctx, code)).map(({ schema, name }) => toKey(schema, name)))
  const missing = tables.find(({ schema_name, table_name }) => !present.has(toKey(schema_name, table_name)))
  if (missing) {
    const name = `${missing.schema_name}.${missing.table_name}`
    throw new AppError('not_found', `There is no table ${name}, or you have no access to it.`)
  }
  await transaction(ctx, async (ctx) => {
    await replaceProjectTables(ctx, { projectId: id, integrationCode: code }, tables)
    await updateAiProjectRow(ctx, id, { updated_at: ctx.clock.now() })
  })
  return await getAiProjectTables(ctx, params)
}

export async function listProjectTables(ctx: WorkspaceCtx, projectCode: string): Promise<ProjectTable[]> {
  const { id } = await getProjectRow(ctx, projectCode)
  return await findProjectTables(ctx, id)
}

export async function listAiProjectNames(
  ctx: WorkspaceCtx,
  limit: number,
): Promise<{ code: string; name: string; description: string }[]> {
  const rows = await findAiProjects(ctx, { limit, offset: 0 })
  return rows.map(({ trellis_code, name, description }) => ({ code: trellis_code, name, description }))
}

export async function getProjectIdentity(
  ctx: WorkspaceCtx,
  projectCode: string,
): Promise<{ id: number; code: string }> {
  const { id, trellis_code } = await getProjectRow(ctx, projectCode)
  return { id, code: trellis_code }
}
