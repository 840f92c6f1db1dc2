import type { TransformationSettings, WriteStep } from '@trellis/contract/dataflows/task-blocks.schemas'
import { NO_TRIGGER, type TriggerForm } from '@trellis/contract/dataflows/triggers'
import type { RunAsDataflow } from '@trellis/contract/worksheets/scheduled.schemas'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { createBlock } from '../../dataflows/blocks.service.ts'
import { createDataflow } from '../../dataflows/dataflows.service.ts'
import { findNewBlockPosition } from '../../dataflows/linked/linked-blocks.service.ts'
import { fileNotFoundError, projectNotFoundError } from '../branch-state.ts'
import { findTree, getCommitAt } from '../live.repository.ts'
import { findTexts } from '../objects.repository.ts'
import { type ProjectRow, findProjects, lockProject } from '../projects.repository.ts'
import { findSqlProblem } from './sql-problem.ts'

export async function getLiveText(ctx: WorkspaceCtx, project: ProjectRow, fileId: string) {
  const file = (await findTree(ctx, project)).get(fileId)
  if (!file) return undefined
  const sql = (await findTexts(ctx, project.id, [file.blob])).get(file.blob) ?? ''
  const { commit_id } = await getCommitAt(ctx, project.id, file.seq)
  const link = { project_id: project.trellis_code, file_id: fileId, path: file.path, commit_id }
  return { sql, link, blob: file.blob }
}

export async function runAsDataflow(ctx: WorkspaceCtx, body: RunAsDataflow, trigger: TriggerForm = NO_TRIGGER) {
  return await transaction(ctx, async (ctx) => {
    // A concurrent push waits, and then finds the block.
    const project = await lockProject(ctx, body.project_id)
    if (!project) throw projectNotFoundError()
    const file = await getLiveText(ctx, project, body.file_id)
    if (!file) throw fileNotFoundError()
    const problem = await findSqlProblem(file.sql, body.table !== null)
    if (problem !== null) throw new AppError('conflict', problem)
    const { dataflow } = body
    const code = 'name' in dataflow ? (await createDataflow(ctx, dataflow)).trellis_code : dataflow.trellis_code
    const block = await createBlock<'Transformation', TransformationSettings>(ctx, 'Transformation', {
      dataflow_trellis_code: code,
      name: body.block_name,
      metadata: { ...(await findNewBlockPosition(ctx, code)), group_trellis_code: null, note: '' },
      settings: { code: file.sql, worksheet: file.link, trigger, write: body.table && writeTo(body.table) },
    })
    return { dataflow_trellis_code: code, task_block_trellis_code: block.task_block_trellis_code }
  })
}

interface FileByPath extends Omit<RunAsDataflow, 'project_id' | 'file_id'> {
  readonly projectName: string
  readonly path: string
  readonly trigger: TriggerForm
}

export async function runPathAsDataflow(
  ctx: WorkspaceCtx,
  { projectName, path, trigger, ...body }: FileByPath,
): Promise<void> {
  const project = (await findProjects(ctx)).find(({ name }) => name === projectName)
  if (!project) return
  for (const [file_id, file] of await findTree(ctx, project)) {
    if (file.path === path) await runAsDataflow(ctx, { ...body, project_id: project.trellis_code, file_id }, trigger)
  }
}

const writeTo = (table: NonNullable<RunAsDataflow['table']>): WriteStep => ({
  ...table,
  strategy: 'Replace',
  dataModel: null,
  schema_policy: 'evolve',
  bad_rows: { choice: 'stop', most: 0 },
})
