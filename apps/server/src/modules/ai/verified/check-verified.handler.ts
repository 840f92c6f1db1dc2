import { replaceParametersByNull } from '@trellis/assistant/verified/parameters'
import type { SystemCtx, WorkspaceCtx } from '../../../platform/ctx.ts'
import { findOnlineWorkspaces } from '../../../platform/online-workspaces.ts'
import { toOwnerCtx } from '../../../platform/person-ctx.ts'
import { managedCode } from '../../../platform/workspace-database/open-database.ts'
import { hashShapes, readTableShapes } from '../../explorer/table-names.service.ts'
import { planProjectQueries } from '../guarded-query.service.ts'
import { findMetricProblem } from '../metrics/check-metric.ts'
import { findProjectTables } from '../../ai-projects/projects.service.ts'
import { type VerifiedToCheck, findVerifiedToCheck, setVerifiedCheck } from './verified.repository.ts'

/** A hanging external server must not block the other checks. */
const CONNECTED_TIMEOUT_MS = 30_000

interface Run {
  readonly signal: AbortSignal
}

/** A query that names a dropped column must not answer, and its owners are notified before they run it. */
export async function handleCheckVerified(ctx: SystemCtx, _: object, { signal }: Run): Promise<void> {
  await checkAll(ctx, { signal, isConnected: false })
}

export async function handleCheckConnectedVerified(ctx: SystemCtx, _: object, { signal }: Run): Promise<void> {
  await checkAll(ctx, { signal, isConnected: true })
}

async function checkAll(ctx: SystemCtx, { signal, isConnected }: Run & { isConnected: boolean }): Promise<void> {
  for (const account of await findOnlineWorkspaces(ctx.db, 'ai_contexts')) {
    const found = { workspaceId: account.workspace_id, managedCode: managedCode(account.workspace_code), isConnected }
    const questions = await findVerifiedToCheck(ctx.db, found)
    for (const [code, ofDatabase] of Map.groupBy(questions, ({ integration_code }) => integration_code)) {
      signal.throwIfAborted()
      const limit = isConnected ? AbortSignal.any([signal, AbortSignal.timeout(CONNECTED_TIMEOUT_MS)]) : signal
      try {
        await checkDatabase(ctx, toOwnerCtx(ctx, account, limit), { code, questions: ofDatabase })
      } catch (error) {
        // An unreachable database says nothing about its columns.
        ctx.log.warn({ err: error, workspace: account.workspace_code, code }, 'verified questions could not be checked')
      }
    }
  }
}

async function checkDatabase(
  system: SystemCtx,
  ctx: WorkspaceCtx,
  { code, questions }: { code: string; questions: readonly VerifiedToCheck[] },
): Promise<void> {
  const { signal } = ctx.http
  const shapes = await readTableShapes(ctx, code)
  for (const [projectId, ofProject] of Map.groupBy(questions, ({ project_id }) => project_id)) {
    const tables = (await findProjectTables(ctx, projectId)).filter((table) => table.integration_code === code)
    const shape = hashShapes(
      shapes,
      tables.map(({ schema_name, table_name }) => ({ schema: schema_name, name: table_name })),
    )
    const changed = ofProject.filter(({ checked_shape }) => checked_shape !== shape)
    if (changed.length === 0) continue
    const place = { projectId, integrationCode: code, signal }
    const asked = changed.filter(({ kind }) => kind === 'verified_question')
    const queries = asked.map(({ sql }) => ({ sql: replaceParametersByNull(sql), values: [] }))
    const plans = queries.length > 0 ? await planProjectQueries(ctx, place, queries) : []
    for (const [index, question] of asked.entries()) {
      const plan = plans[index]
      const problem = plan && 'problem' in plan ? plan.problem.message : null
      await setVerifiedCheck(system.db, question, { problem, checked_shape: shape })
    }
    for (const metric of changed.filter(({ kind }) => kind === 'metric')) {
      const problem = (await findMetricProblem(ctx, place, metric)) ?? null
      await setVerifiedCheck(system.db, metric, { problem, checked_shape: shape })
    }
  }
}
