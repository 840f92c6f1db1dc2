import { buildDryRunPhases } from '@trellis/loads/plan/load-plan'
import { toDurableTableName } from '@trellis/loads/own-tables'
import { findCursor } from '@trellis/loads/run/read-cursors'
import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import { isIncrementalRead } from './reread-rule.ts'
import { toLoadId, computeReadFingerprint } from './load-id.ts'
import type { SubtaskLoad } from './subtask-load.ts'

/** Dry run: loads the next run's rows into a temporary table, to compare it with the target. The cursor stays. */
export async function toDryRunLoad(subtaskLoad: SubtaskLoad): Promise<SubtaskLoad> {
  const { work, subtask, write, plan, table, read } = subtaskLoad
  const isWhole = write.strategy === 'Replace'
  const cursor = isWhole ? null : await readBlockCursor(subtaskLoad)
  return {
    ...subtaskLoad,
    write: { ...write, strategy: 'Replace' },
    plan: { ...plan, phases: buildDryRunPhases(plan.wanted, plan.columns) },
    table: { schema: LOADS_SCHEMA, table: toDurableTableName(toLoadId(work.run.rootCode, subtask.name)) },
    shadow: { comparedTable: table, strategy: write.strategy, key: plan.proofKey, isWhole, notes: plan.log },
    read: (state) => read(state ?? cursor),
  }
}

async function readBlockCursor(subtaskLoad: SubtaskLoad): Promise<unknown> {
  const { work, session, subtask, plan, integrationCode, hasTable } = subtaskLoad
  // A dropped table lost its loads.
  if (!isIncrementalRead(subtaskLoad) || !hasTable) return null
  const reads = computeReadFingerprint(subtask, { integrationCode, columns: plan.columns })
  return await findCursor(session, { writer: `${work.block.code}:${subtask.name}`, reads })
}
