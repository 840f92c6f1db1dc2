import { allows } from '@trellis/contract/core/permissions'
import type { BlockUpdate } from '@trellis/contract/worksheets/worksheets.schemas'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { hashText } from '../../../platform/git/objects.ts'
import {
  type LinkedBlock,
  listLinkedBlocks,
  publishLinkedDraft,
  updateLinkedDraft,
} from '../../dataflows/linked/linked-blocks.service.ts'
import { readBranch } from '../branch-state.ts'
import { findDrafts } from '../drafts.repository.ts'
import { findTree, getCommitAt } from '../live.repository.ts'
import { findTexts } from '../objects.repository.ts'
import type { ProjectRow } from '../projects.repository.ts'
import { decideUpdate } from './decide-update.ts'
import { findSqlProblem } from './sql-problem.ts'

interface PushedFile {
  readonly fileId: string
  readonly path: string
  readonly text: string | null
}

const canChangeBlocks = ({ account, workspace }: WorkspaceCtx) =>
  allows('dataflows:write', { accountRole: account.role, workspaceRole: workspace.role })

export async function getPushPlan(ctx: WorkspaceCtx, projectCode: string): Promise<BlockUpdate[]> {
  const { project, branch, base } = await readBranch(ctx, projectCode)
  const blocks = await listLinkedBlocks(ctx, projectCode)
  if (!branch || blocks.length === 0) return []
  const drafts = await findDrafts(ctx, branch.id)
  const isLinked = new Set(blocks.map(getFileId))
  const files = new Map<string, PushedFile>()
  for (const [fileId, draft] of drafts) {
    const was = base.get(fileId)
    if (!isLinked.has(fileId)) continue
    const isDeleted = draft.path === null
    const text = isDeleted ? null : (draft.content ?? (await getText(ctx, project, was?.blob)))
    files.set(fileId, { fileId, path: draft.path ?? was?.path ?? '', text })
  }
  return (await planUpdates(ctx, blocks, files)).map(({ shown }) => shown)
}

/** Drafts get the new text; those that equalled the published version are published. */
export async function updateBlocks(
  ctx: WorkspaceCtx,
  project: ProjectRow,
  before: ReadonlyMap<string, { readonly path: string; readonly blob: string }>,
): Promise<BlockUpdate[]> {
  const blocks = await listLinkedBlocks(ctx, project.trellis_code)
  if (blocks.length === 0) return []
  const after = await findTree(ctx, project)
  const files = new Map<string, PushedFile>()
  for (const fileId of new Set(blocks.map(getFileId))) {
    const [was, is] = [before.get(fileId), after.get(fileId)]
    if (was?.blob === is?.blob) continue
    const text = is ? await getText(ctx, project, is.blob) : null
    files.set(fileId, { fileId, path: is?.path ?? was?.path ?? '', text })
  }
  const updates: BlockUpdate[] = []
  for (const { shown, text } of await planUpdates(ctx, blocks, files)) {
    const seq = after.get(shown.file_id)?.seq
    const isKept = shown.update === 'kept' || text === null || seq === undefined
    updates.push(isKept ? shown : await applyUpdate(ctx, project, { shown, text, seq }))
  }
  return updates
}

interface PlannedUpdate {
  readonly shown: BlockUpdate
  readonly text: string | null
}

async function applyUpdate(
  ctx: WorkspaceCtx,
  project: ProjectRow,
  { shown, text, seq }: { shown: BlockUpdate; text: string; seq: number },
): Promise<BlockUpdate> {
  const { commit_id, message } = await getCommitAt(ctx, project.id, seq)
  const { task_block_trellis_code: code, file_id, path } = shown
  const link = { project_id: project.trellis_code, file_id, path, commit_id }
  try {
    const version = await updateLinkedDraft(ctx, code, { sql: text, link })
    ctx.http.addAuditDetail({ what: `updated block ${shown.name} of dataflow ${shown.dataflow_name}` })
    if (shown.update === 'draft') return shown
    const reason = await publishLinkedDraft(ctx, code, { version, message: toMessage(path, message) })
    return reason === null ? shown : { ...shown, update: 'draft', reason }
  } catch (error) {
    // A block that cannot take the text must not prevent the push.
    if (error instanceof AppError) return { ...shown, update: 'kept', reason: error.message }
    throw error
  }
}

const MAX_MESSAGE_LENGTH = 500
const toMessage = (path: string, message: string) => `Worksheet ${path}: ${message}`.slice(0, MAX_MESSAGE_LENGTH)

async function getText(ctx: WorkspaceCtx, project: ProjectRow, blob: string | undefined): Promise<string> {
  if (blob === undefined) return ''
  return (await findTexts(ctx, project.id, [blob])).get(blob) ?? ''
}

const getFileId = ({ draft_link, live_link }: LinkedBlock): string => (draft_link ?? live_link)?.file_id ?? ''

async function planUpdates(
  ctx: WorkspaceCtx,
  blocks: readonly LinkedBlock[],
  files: ReadonlyMap<string, PushedFile>,
): Promise<PlannedUpdate[]> {
  const plannedUpdates: PlannedUpdate[] = []
  for (const block of blocks) {
    const file = files.get(getFileId(block))
    if (!file || (file.text !== null && hashText(file.text) === hashText(block.sql))) continue
    const problem = file.text === null ? null : await findSqlProblem(file.text, block.writes_rows)
    const decided = decideUpdate(block, { isDeleted: file.text === null, problem, isAllowed: canChangeBlocks(ctx) })
    plannedUpdates.push({
      text: file.text,
      shown: {
        task_block_trellis_code: block.code,
        name: block.name,
        dataflow_trellis_code: block.dataflow_code,
        dataflow_name: block.dataflow_name,
        file_id: file.fileId,
        path: file.path,
        ...decided,
      },
    })
  }
  return plannedUpdates
}
