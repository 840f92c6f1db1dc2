import type { RecentWorksheet } from '@trellis/contract/explorer/explorer.schemas'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { listWorkingPaths, readBranch } from '../branch-state.ts'
import { findProjects } from '../projects.repository.ts'
import { toPlace } from '../show-branch.ts'
import { findOpened } from './opened-worksheets.repository.ts'

const MAX_RECENT = 8

export async function listRecentWorksheets(ctx: WorkspaceCtx): Promise<RecentWorksheet[]> {
  const openedRows = await findOpened(ctx)
  if (openedRows.length === 0) return []
  const projects = new Map((await findProjects(ctx)).map((project) => [project.id, project]))
  const paths = new Map<number, ReadonlyMap<string, string>>()
  const recent: RecentWorksheet[] = []
  for (const { project_id, file_id, opened_at } of openedRows) {
    const project = projects.get(project_id)
    if (!project || recent.length === MAX_RECENT) continue
    const known = paths.get(project_id) ?? listWorkingPaths(await readBranch(ctx, project.trellis_code))
    paths.set(project_id, known)
    const path = known.get(file_id)
    if (path === undefined) continue
    const { folder_id, name } = toPlace(project, path)
    recent.push({
      project_id: project.trellis_code,
      project_name: project.name,
      folder_id,
      file_id,
      name,
      opened_at: opened_at.toISOString(),
    })
  }
  return recent
}
