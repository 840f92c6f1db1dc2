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
