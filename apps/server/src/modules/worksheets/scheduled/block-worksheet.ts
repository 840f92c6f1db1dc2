import type { BlockWorksheet, WorksheetBlock } from '@trellis/contract/worksheets/scheduled.schemas'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { hashText } from '../../../platform/git/objects.ts'
import { getBlockLink, listLinkedBlocks, updateLinkedDraft } from '../../dataflows/linked/linked-blocks.service.ts'
import { projectNotFoundError } from '../branch-state.ts'
import { findCommit, findTree } from '../live.repository.ts'
import { getName } from '../merge/paths.ts'
import { findProject, lockProject } from '../projects.repository.ts'
import { toCommit, toPlace } from '../show-branch.ts'
import { getLiveText } from './run-as-dataflow.service.ts'
import { findSqlProblem } from './sql-problem.ts'

export async function getBlockWorksheet(ctx: WorkspaceCtx, code: string): Promise<BlockWorksheet> {
  const { sql, link } = await getBlockLink(ctx, code)
  const { project_id, file_id } = link
  const project = await findProject(ctx, project_id)
  if (!project) {
    const place = { folder_id: 'root', name: getName(link.path), path: link.path }
    return { project_id, project_name: '', file_id, ...place, commit: null, state: 'deleted' }
  }
  const file = (await findTree(ctx, project)).get(file_id)
  const commit = await findCommit(ctx, project.id, link.commit_id)
  return {
    project_id,
    project_name: project.name,
    file_id,
    ...toPlace(project, file?.path ?? link.path),
    commit: commit ? toCommit(commit) : null,
    state: !file ? 'deleted' : file.blob === hashText(sql) ? 'latest' : 'behind',
  }
}

export async function updateFromWorksheet(
  ctx: WorkspaceCtx,
  code: string,
  { version }: { version: number },
): Promise<{ done: true }> {
  return await transaction(ctx, async (ctx) => {
    const { link, writesRows } = await getBlockLink(ctx, code)
    // Fixed lock order, project before block, as in a push.
    const project = await lockProject(ctx, link.project_id)
    const file = project && (await getLiveText(ctx, project, link.file_id))
    if (!file) throw new AppError('conflict', 'The worksheet is deleted. The block keeps its last version.')
    const problem = await findSqlProblem(file.sql, writesRows)
    if (problem !== null) throw new AppError('conflict', problem)
    await updateLinkedDraft(ctx, code, { sql: file.sql, link: file.link, version })
    return { done: true }
  })
}

/** By the published version, or by the draft of blocks never published. */
export async function listWorksheetBlocks(
  ctx: WorkspaceCtx,
  params: { project_id: string; file_id: string },
): Promise<WorksheetBlock[]> {
  const project = await findProject(ctx, params.project_id)
  if (!project) throw projectNotFoundError()
  const blob = (await findTree(ctx, project)).get(params.file_id)?.blob
  return (await listLinkedBlocks(ctx, params.project_id)).flatMap((block): WorksheetBlock[] => {
    const link = block.is_published ? (block.live_link ?? block.draft_link) : block.draft_link
    if (link?.file_id !== params.file_id) return []
    const sql = block.is_published ? (block.live_sql ?? '') : block.sql
    return [
      {
        task_block_trellis_code: block.code,
        name: block.name,
        dataflow_trellis_code: block.dataflow_code,
        dataflow_name: block.dataflow_name,
        commit_id: link.commit_id,
        is_published: block.is_published,
        is_latest: blob === hashText(sql),
      },
    ]
  })
}
