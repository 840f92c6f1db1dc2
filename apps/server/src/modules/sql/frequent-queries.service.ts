import { scoped } from '@trellis/control-db/scoped'
import { sql } from 'kysely'
import type { WorkspaceCtx } from '../../platform/ctx.ts'

export interface FrequentQuery {
  readonly file_id: string
  readonly integration_code: string
  readonly sql: string
  readonly runs: number
  readonly people: number
}

interface Frequency {
  readonly since: Date
  readonly minRuns: number
  readonly limit: number
}

export async function listFrequentQueries(
  ctx: WorkspaceCtx,
  { since, minRuns, limit }: Frequency,
): Promise<FrequentQuery[]> {
  const trimmed = sql<string>`rtrim(sql, E'; \\n\\r\\t')`
  const query = scoped(ctx, 'sql_jobs')
    .select(({ fn }) => [
      fn.min<string>('file_id').as('file_id'),
      'integration_code',
      trimmed.as('sql'),
      fn.countAll<number>().as('runs'),
      fn.count<number>('profile_id').distinct().as('people'),
    ])
    .where('workspace_id', '=', ctx.workspace.id)
    .where('status', '=', 'completed')
    .where('file_id', 'is not', null)
    .where('created_at', '>=', since)
    .where(sql<boolean>`request ->> 'explain' = 'none'`)
    .groupBy(['integration_code', trimmed])
    .having(({ fn }) => fn.countAll(), '>=', minRuns)
    .orderBy('runs', 'desc')
    .orderBy('sql')
    .limit(limit)
  const isAdmin = ctx.workspace.role === 'workspace_admin'
  return await (isAdmin ? query : query.where('profile_id', '=', ctx.actor.profileId)).execute()
}
