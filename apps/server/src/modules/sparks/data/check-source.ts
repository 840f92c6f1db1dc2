import {
  type CheckSparkSourceRequest,
  MAX_SOURCE_CHECK_ROWS,
  type SparkSourceCheck,
} from '@trellis/contract/sparks/sparks.schemas'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { runProjectQuery } from '../../ai/guarded-query.service.ts'
import { getProjectIdentity } from '../../ai-projects/projects.service.ts'
import { bindSource } from '../content/bind-source.ts'
import { readValues } from '../content/parameter-values.ts'

const EMPTY = { columns: [], rows: [], is_cut: false }

export async function checkSparkSource(
  ctx: WorkspaceCtx,
  { project_trellis_code, source, parameters, values }: CheckSparkSourceRequest,
): Promise<SparkSourceCheck> {
  const { id: projectId } = await getProjectIdentity(ctx, project_trellis_code)
  const boundSource = await bindSource(source, parameters, readValues(parameters, values))
  const place = { projectId, integrationCode: source.integration_trellis_code, signal: ctx.http.signal }
  const toOffset = (position: number | null) => (position === null ? null : boundSource.toOffset(position))
  try {
    const { account, columns, rows, isCut } = await runProjectQuery(ctx, place, boundSource)
    const { refusal } = account
    const problem = refusal && {
      message: refusal.message,
      hint: refusal.hint,
      position: toOffset(refusal.position),
    }
    const isMore = isCut || rows.length > MAX_SOURCE_CHECK_ROWS
    return { columns, rows: rows.slice(0, MAX_SOURCE_CHECK_ROWS), is_cut: isMore, problem, account }
  } catch (error) {
    if (!(error instanceof WorkspaceDbError) || error.code === 'cancelled') throw error
    const { message, hint = null, position } = error
    const at = position === undefined ? null : toUnits(boundSource.sql, position)
    return { ...EMPTY, problem: { message, hint, position: toOffset(at) }, account: null }
  }
}

/** Postgres counts characters from 1, JavaScript UTF-16 units from 0. */
const toUnits = (text: string, position: number): number => [...text].slice(0, position - 1).join('').length
