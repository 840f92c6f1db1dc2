import type { UserFile } from '@trellis/contract/worksheets/worksheets.schemas'
import { ROOT_FOLDER_ID } from '@trellis/contract/worksheets/worksheets.schemas'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { listWorkingPaths, readBranch } from './branch-state.ts'
import { findBranchStates } from './branch-states.repository.ts'
import { createFile, deleteFile, getUserFile } from './files.ts'
import { findProjects, hasFile } from './projects.repository.ts'
import { toPlace } from './show-branch.ts'

export interface WorksheetLocation {
  readonly project_id: string
  readonly project_name: string
  readonly file_id: string
  readonly folder_id: string
  readonly name: string
  readonly path: string
}

export async function listWorksheets(ctx: WorkspaceCtx): Promise<WorksheetLocation[]> {
  return (await findBranchStates(ctx, ctx.actor.profileId)).flatMap(({ project, base, drafts }) =>
    [...listWorkingPaths({ base, drafts })].map(([file_id, path]) => ({
      project_id: project.trellis_code,
      project_name: project.name,
      file_id,
      ...toPlace(project, path),
    })),
  )
}

export async function hasWorksheet(ctx: WorkspaceCtx, fileId: string): Promise<boolean> {
  return await hasFile(ctx, { fileId, profileId: ctx.actor.profileId })
}

export async function getWorksheet(
  ctx: WorkspaceCtx,
  place: { project_id: string; file_id: string },
): Promise<UserFile> {
  return await getUserFile(ctx, place)
}

export async function createWorksheetDraft(
  ctx: WorkspaceCtx,
  { name, content }: { name: string; content: string },
): Promise<(UserFile & { project_id: string }) | undefined> {
  const [project] = await findProjects(ctx)
  if (!project) return undefined
  const takenWorkingPaths = new Set([...listWorkingPaths(await readBranch(ctx, project.trellis_code)).values()])
  let free = name
  for (let number = 2; takenWorkingPaths.has(`${free}.sql`); number++) free = `${name} ${number}`
  const project_id = project.trellis_code
  const file = await createFile(ctx, { project_id, folder_id: ROOT_FOLDER_ID, name: free, content })
  return { ...file, project_id }
}

export async function deleteUnchangedWorksheet(
  ctx: WorkspaceCtx,
  { project_id, file_id, version }: { project_id: string; file_id: string; version: string },
): Promise<boolean> {
  const file = await getUserFile(ctx, { project_id, file_id })
  if (file.version !== version) return false
  await deleteFile(ctx, { project_id, file_id })
  return true
}
