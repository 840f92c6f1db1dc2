import type { TaskRun } from '@trellis/contract/runs/runs.schemas'
import type { SCHEMA_CHOICES, SchemaQuestion } from '@trellis/contract/runs/runs.schemas'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { findTarget } from '@trellis/loads/target'
import { withTableSession } from '../explorer/database-tables.service.ts'
import { describeDependentViews } from './work/loads/held-columns.ts'
import { type RunRow, lockParentFlowRun, writeDecision } from './runs.repository.ts'
import { getRun, retryRun } from './runs.service.ts'

type Choice = (typeof SCHEMA_CHOICES)[number]
const AUDIT_VERBS = { accept: 'accepted', keep: 'declined' } as const

/** A retry with the decision; subtasks already loaded are skipped. */
export async function decideSchemaChange(ctx: WorkspaceCtx, code: string, choice: Choice): Promise<TaskRun> {
  const run = await getRun(ctx, code)
  const { question, subtask } = run.problem ?? {}
  if (!question) throw new AppError('conflict', 'This run does not wait for a decision.')
  if (run.is_block_deleted) throw new AppError('conflict', 'The block of this run was deleted.')
  assertNotRetried(run)
  if (choice === 'keep' && !question.can_keep) {
    throw new AppError('conflict', 'Without these changes no row could be written. Accept them or change the block.')
  }
  if (choice === 'accept') await assertTypesChangeable(ctx, question)
  const changesText = question.changes.map(({ in_words: messages }) => messages).join(' ')
  ctx.http.addAuditDetail({ what: `${AUDIT_VERBS[choice]} changed columns of “${run.block_name}”: ${changesText}` })
  const answer = choice === 'accept' ? ('change' as const) : ('keep' as const)
  const answers = Object.fromEntries(question.changes.map(({ id }) => [id, answer]))
  return await transaction(ctx, async (tx) => {
    const who = `${ctx.actor.firstName} ${ctx.actor.surname}`.trim() || null
    const decision = { choice, who, at: ctx.clock.now().toISOString() }
    await lockParentFlowRun(tx, run.id)
    assertNotRetried(await getRun(tx, code))
    if (!(await writeDecision(tx, run.id, decision))) {
      throw new AppError('conflict', 'Somebody has decided on these changes already.')
    }
    const earlierAnswers = run.request.answers ?? {}
    const subtaskName = subtask ?? ''
    return await retryRun(tx, code, {
      ...earlierAnswers,
      [subtaskName]: { ...earlierAnswers[subtaskName], ...answers },
    })
  })
}

function assertNotRetried({ problem, needs_decision: needsDecision }: RunRow): void {
  if (problem?.question?.decision !== null || needsDecision) return
  throw new AppError('conflict', 'This run was run again since. Decide on the newer one.')
}

/** Checked again: the dependent view may have been dropped meanwhile. */
async function assertTypesChangeable(ctx: WorkspaceCtx, { table, changes }: SchemaQuestion): Promise<void> {
  const changesText = changes.flatMap(({ held: fixedColumns }) => (fixedColumns ? [fixedColumns.column] : []))
  if (!table || changesText.length === 0) return
  const target = await withTableSession(ctx, (session) => findTarget(session, table))
  const fixedTypeColumns = changesText.filter((column) => target?.fixedTypeColumns.includes(column))
  if (!target || fixedTypeColumns.length === 0) return
  const messages = [...new Set(fixedTypeColumns.map((column) => describeDependentViews(target, column)))]
  throw new AppError('conflict', messages.join(' '))
}
