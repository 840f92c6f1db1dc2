import { withoutValues } from '@trellis/assistant/verified/parameters'
import type { SystemCtx } from '../../../platform/ctx.ts'
import { findOnlineWorkspaces } from '../../../platform/online-workspaces.ts'
import { type WorkspacePlace, toOwnerCtx } from '../../../platform/person-ctx.ts'
import { managedCode } from '../../explorer/database.service.ts'
import { hashShapes, readTableShapes } from '../../explorer/table-names.service.ts'
import { planProjectQueries } from '../guarded-query.service.ts'
import { findProjectTables } from '../projects.repository.ts'
import { findVerifiedToCheck, setVerifiedCheck } from './verified.repository.ts'

/** A verified query that names a column which is gone must not answer, and its people should know before they ask. */
export async function handleCheckVerified(
  ctx: SystemCtx,
  _: object,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  for (const place of await findOnlineWorkspaces(ctx.db, 'ai_contexts')) {
    signal.throwIfAborted()
    try {
      await checkWorkspace(ctx, place, signal)
    } catch (error) {
      // A database that does not answer says nothing about its columns.
      ctx.log.warn({ err: error, workspace: place.workspace_code }, 'verified questions could not be checked')
    }
  }
}

async function checkWorkspace(system: SystemCtx, place: WorkspacePlace, signal: AbortSignal): Promise<void> {
  const integrationCode = managedCode(place.workspace_code)
  const questions = await findVerifiedToCheck(system.db, { workspaceId: place.workspace_id, integrationCode })
  if (questions.length === 0) return
  const ctx = toOwnerCtx(system, place, signal)
  const shapes = await readTableShapes(ctx, integrationCode)
  for (const [projectId, ofProject] of Map.groupBy(questions, ({ project_id }) => project_id)) {
    const tables = (await findProjectTables(ctx, projectId)).filter(
      (table) => table.integration_code === integrationCode,
    )
    const shape = hashShapes(
      shapes,
      tables.map(({ schema_name, table_name }) => ({ schema: schema_name, name: table_name })),
    )
    const changed = ofProject.filter(({ checked_shape }) => checked_shape !== shape)
    if (changed.length === 0) continue
    const queries = changed.map(({ sql }) => ({ sql: withoutValues(sql), values: [] }))
    const plans = await planProjectQueries(ctx, { projectId, integrationCode, signal }, queries)
    for (const [index, question] of changed.entries()) {
      const plan = plans[index]
      const problem = plan && 'problem' in plan ? plan.problem.message : null
      await setVerifiedCheck(system.db, question, { problem, checked_shape: shape })
    }
  }
}
