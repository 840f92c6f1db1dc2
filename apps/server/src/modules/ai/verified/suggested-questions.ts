import { replaceParametersByNull } from '@trellis/assistant/verified/parameters'
import type { SuggestedQuestion, SuggestedQuestions } from '@trellis/contract/ai/ai.schemas'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { trimStatementEnd } from '@trellis/sql-grammar/trim-end'
import type * as z from 'zod/mini'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { type FrequentQuery, listFrequentQueries } from '../../sql/frequent-queries.service.ts'
import { listWorksheets } from '../../worksheets/worksheet-files.service.ts'
import { findContextsOfProject } from '../contexts.repository.ts'
import { planProjectQueries } from '../guarded-query.service.ts'
import { getProjectRow } from '../../ai-projects/projects.service.ts'
import { findProjectTables } from '../../ai-projects/projects.service.ts'

const DAYS = 30
const MIN_RUNS = 3
const MAX_SUGGESTIONS = 5
const MAX_PLANNED = 30
/** A slow connected database must not block the page. */
const PLAN_TIMEOUT_MS = 5000
const DAY_MS = 24 * 3600_000

/** Frequent worksheet queries over the project's tables that are not verified yet. */
export async function listSuggestedQuestions(
  ctx: WorkspaceCtx,
  code: string,
): Promise<z.infer<typeof SuggestedQuestions>> {
  const { id } = await getProjectRow(ctx, code)
  const codes = new Set((await findProjectTables(ctx, id)).map(({ integration_code }) => integration_code))
  const contexts = await findContextsOfProject(ctx, id)
  const verified = new Set(contexts.flatMap(({ sql }) => (sql === null ? [] : [toKey(sql)])))
  const since = new Date(ctx.clock.now().getTime() - DAYS * DAY_MS)
  const frequent = await listFrequentQueries(ctx, { since, minRuns: MIN_RUNS, limit: MAX_PLANNED })
  const open = frequent.filter(({ sql, integration_code }) => codes.has(integration_code) && !verified.has(toKey(sql)))
  if (open.length === 0) return { suggestions: [], days: DAYS }
  const names = new Map((await listWorksheets(ctx)).map(({ file_id, name }) => [file_id, name]))
  const suggestions: SuggestedQuestion[] = []
  for (const [integrationCode, queries] of Map.groupBy(open, ({ integration_code }) => integration_code)) {
    for (const query of await filterAnswerable(ctx, { projectId: id, integrationCode, queries })) {
      suggestions.push(toSuggestion(query, names.get(query.file_id)))
    }
  }
  return { suggestions: suggestions.toSorted((a, b) => b.runs - a.runs).slice(0, MAX_SUGGESTIONS), days: DAYS }
}

const toKey = (sql: string): string => trimStatementEnd(sql.trim()).replaceAll(/\s+/g, ' ')

const toSuggestion = (
  { sql, integration_code, runs, people }: FrequentQuery,
  name: string | undefined,
): SuggestedQuestion => ({
  question: (name ?? '').replace(/\.sql$/i, ''),
  sql,
  integration_trellis_code: integration_code,
  runs,
  people,
})

async function filterAnswerable(
  ctx: WorkspaceCtx,
  place: { projectId: number; integrationCode: string; queries: readonly FrequentQuery[] },
): Promise<FrequentQuery[]> {
  const { queries, ...at } = place
  const signal = AbortSignal.any([ctx.http.signal, AbortSignal.timeout(PLAN_TIMEOUT_MS)])
  const planned = queries.map(({ sql }) => ({ sql: replaceParametersByNull(sql), values: [] }))
  try {
    const checks = await planProjectQueries(ctx, { ...at, signal }, planned)
    return queries.filter((_, index) => 'tables' in (checks[index] ?? {}))
  } catch (error) {
    if (signal.aborted || error instanceof WorkspaceDbError || error instanceof AppError) return []
    throw error
  }
}
