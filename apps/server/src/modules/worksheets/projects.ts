import { DEFAULT_EDITOR_SETTINGS, type EditorSettings } from '@trellis/contract/worksheets/editor-settings'
import { MAX_PROJECTS, type Project, type UnpublishedChange } from '@trellis/contract/worksheets/worksheets.schemas'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { lockLimit } from '../../platform/limit-lock.ts'
import { projectNotFoundError, readBranch } from './branch-state.ts'
import { findBranchStates } from './branch-states.repository.ts'
import { findConflicts } from './conflicts.repository.ts'
import { type ProjectSummary, findProjectSummaries } from './list-projects.repository.ts'
import { findTree, getCommitAt } from './live.repository.ts'
import {
  findEditorSettings,
  findProject,
  findProjects,
  lockProject,
  mergeEditorSettings,
  updateProjectRow,
} from './projects.repository.ts'
import { toAuthor } from './push.ts'
import { listChanges, showLiveTree, showUserTree, toCommit } from './show-branch.ts'
import { createRepository } from './worksheets.service.ts'

const UNIQUE_VIOLATION = '23505'

const nameTakenError = () =>
  new AppError('conflict', 'A project with this name exists already.', { source: { pointer: '/name' } })

export async function createProject(
  ctx: WorkspaceCtx,
  body: { name: string; description?: string | undefined },
): Promise<Project> {
  const { name, description = '' } = body
  const project = await transaction(ctx, async (ctx) => {
    await lockLimit(ctx, 'projects', ctx.workspace.id)
    if ((await findProjects(ctx)).length >= MAX_PROJECTS) {
      const message = `A workspace can have ${MAX_PROJECTS} projects. Delete one that is not needed.`
      throw new AppError('limit_reached', message)
    }
    return await createRepository(ctx, { name, description, author: toAuthor(ctx), files: {} })
  })
  if (!project) throw nameTakenError()
  return await getProject(ctx, project.trellis_code)
}

export async function updateProject(
  ctx: WorkspaceCtx,
  {
    project_id,
    name,
    description,
  }: { project_id: string; name?: string | undefined; description?: string | undefined },
): Promise<Project> {
  const project = await findProject(ctx, project_id)
  if (!project) throw projectNotFoundError()
  const change = { ...(name !== undefined && { name }), ...(description !== undefined && { description }) }
  if (Object.keys(change).length > 0) {
    await updateProjectRow(ctx, project.id, change).catch((error: unknown) => {
      throw (error as { code?: string }).code === UNIQUE_VIOLATION ? nameTakenError() : error
    })
  }
  return await getProject(ctx, project_id)
}

/** Soft delete: an operator can restore it within the grace period. */
export async function deleteProject(ctx: WorkspaceCtx, code: string): Promise<{ done: true }> {
  await transaction(ctx, async (ctx) => {
    const project = await lockProject(ctx, code)
    if (!project) throw projectNotFoundError()
    await updateProjectRow(ctx, project.id, { deleted_at: ctx.clock.now() })
    ctx.http.addAuditDetail({ project: project.name })
  })
  return { done: true }
}

export async function getProject(ctx: WorkspaceCtx, code: string): Promise<Project> {
  return (await readProject(ctx, code)).shown
}

async function readProject(ctx: WorkspaceCtx, code: string) {
  const state = await readBranch(ctx, code)
  const { project, branch } = state
  const conflicts = branch ? await findConflicts(ctx, branch.id) : new Map<string, never>()
  const user = showUserTree(state, conflicts)
  const shown = toProject(ctx, {
    ...project,
    file_count: user.files.length,
    draft_count: state.drafts.size,
    behind_count: project.live_seq - (branch?.base_seq ?? project.live_seq),
    conflict_count: conflicts.size,
    head: await getCommitAt(ctx, project.id, project.live_seq),
  })
  return { state, shown, user }
}

const toProject = (ctx: WorkspaceCtx, row: ProjectSummary): Project => ({
  project_id: row.trellis_code,
  name: row.name,
  description: row.description,
  file_count: row.file_count,
  unpublished_count: row.draft_count,
  behind_count: row.behind_count,
  conflict_count: row.conflict_count,
  created_at: row.created_at.toISOString(),
  live_head: toCommit(row.head),
  clone_url: `${ctx.ports.config.publicUrl}/git/${ctx.account.code}/${ctx.workspace.address}/${row.trellis_code}.git`,
})

export async function listProjects(ctx: WorkspaceCtx): Promise<Project[]> {
  return (await findProjectSummaries(ctx, ctx.actor.profileId)).map((row) => toProject(ctx, row))
}

export async function listProjectFiles(ctx: WorkspaceCtx) {
  const states = await findBranchStates(ctx, ctx.actor.profileId)
  const byProject = new Map(states.map((state) => [state.project.id, state]))
  return (await findProjectSummaries(ctx, ctx.actor.profileId)).flatMap((row) => {
    const state = byProject.get(row.id)
    return state ? [{ ...toProject(ctx, row), user: showUserTree(state, state.conflicts) }] : []
  })
}

export async function listUnpublishedChanges(ctx: WorkspaceCtx): Promise<UnpublishedChange[]> {
  return await listChanges(ctx, await findBranchStates(ctx, ctx.actor.profileId))
}

export async function getBothTrees(ctx: WorkspaceCtx, code: string) {
  const { state, user } = await readProject(ctx, code)
  return { live: showLiveTree(state.project, await findTree(ctx, state.project)), user }
}

export async function getEditorSettings(ctx: WorkspaceCtx): Promise<EditorSettings> {
  return { ...DEFAULT_EDITOR_SETTINGS, ...(await findEditorSettings(ctx, ctx.actor.profileId)) }
}

export async function updateEditorSettings(ctx: WorkspaceCtx, change: object): Promise<EditorSettings> {
  return { ...DEFAULT_EDITOR_SETTINGS, ...(await mergeEditorSettings(ctx, ctx.actor.profileId, change)) }
}
