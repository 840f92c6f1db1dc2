import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { type ProjectTable, findAiProjects, findProjectTables } from './projects.repository.ts'
import { getProjectRow } from './projects.ts'

/** Tables that an AI project may read. */
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

export async function listTablesOfProject(ctx: WorkspaceCtx, projectId: number): Promise<ProjectTable[]> {
  return await findProjectTables(ctx, projectId)
}
