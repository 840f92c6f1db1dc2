import { shadowPhases } from '@trellis/loads/plan/load-plan'
import { durableTableName } from '@trellis/loads/own-tables'
import { findCursor } from '@trellis/loads/run/read-cursors'
import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import { isFollowing } from './reread-rule.ts'
import { toLoadId, computeReadFingerprint } from './load-id.ts'
import type { SubtaskLoad } from './subtask-load.ts'

/** Dry run: loads the next run's rows into a temporary table, to compare it with the target. The cursor stays. */
export async function toShadowLoad(loading: SubtaskLoad): Promise<SubtaskLoad> {
  const { work, subtask, write, plan, table, read } = loading
  const isWhole = write.strategy === 'Replace'
  const from = isWhole ? null : await readBlockCursor(loading)
  return {
    ...loading,
    write: { ...write, strategy: 'Replace' },
    plan: { ...plan, phases: shadowPhases(plan.wanted, plan.columns) },
    table: { schema: LOADS_SCHEMA, table: durableTableName(toLoadId(work.run.rootCode, subtask.name)) },
    shadow: { of: table, strategy: write.strategy, key: plan.proofKey, isWhole, notes: plan.log },
    read: (state) => read(state ?? from),
  }
}

async function readBlockCursor(loading: SubtaskLoad): Promise<unknown> {
  const { work, session, subtask, plan, integrationCode, hasTable } = loading
  // A dropped table lost its loads.
  if (!isFollowing(loading) || !hasTable) return null
  const reads = computeReadFingerprint(subtask, { integrationCode, columns: plan.columns })
  return await findCursor(session, { writer: `${work.block.code}:${subtask.name}`, reads })
}
