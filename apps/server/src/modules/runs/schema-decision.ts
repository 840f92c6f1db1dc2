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
const DONE = { accept: 'accepted', keep: 'declined' } as const

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
  if (choice === 'accept') await assertNotHeld(ctx, question)
  const columns = question.changes.map(({ in_words: words }) => words).join(' ')
  ctx.http.addAuditDetail({ what: `${DONE[choice]} changed columns of “${run.block_name}”: ${columns}` })
  const answer = choice === 'accept' ? ('change' as const) : ('keep' as const)
  const answers = Object.fromEntries(question.changes.map(({ id }) => [id, answer]))
  return await transaction(ctx, async (open) => {
    const who = `${ctx.actor.firstName} ${ctx.actor.surname}`.trim() || null
    const decision = { choice, who, at: ctx.clock.now().toISOString() }
    await lockParentFlowRun(open, run.id)
    assertNotRetried(await getRun(open, code))
    if (!(await writeDecision(open, run.id, decision))) {
      throw new AppError('conflict', 'Somebody has decided on these changes already.')
    }
    const earlier = run.request.answers ?? {}
    const name = subtask ?? ''
    return await retryRun(open, code, { ...earlier, [name]: { ...earlier[name], ...answers } })
  })
}

function assertNotRetried({ problem, needs_decision: needsDecision }: RunRow): void {
  if (problem?.question?.decision !== null || needsDecision) return
  throw new AppError('conflict', 'This run was run again since. Decide on the newer one.')
}

/** Checked again: the dependent view may have been dropped meanwhile. */
async function assertNotHeld(ctx: WorkspaceCtx, { table, changes }: SchemaQuestion): Promise<void> {
  const columns = changes.flatMap(({ held }) => (held ? [held.column] : []))
  if (!table || columns.length === 0) return
  const target = await withTableSession(ctx, (session) => findTarget(session, table))
  const held = columns.filter((column) => target?.heldColumns.includes(column))
  if (!target || held.length === 0) return
  const words = [...new Set(held.map((column) => describeDependentViews(target, column)))]
  throw new AppError('conflict', words.join(' '))
}
