import { scoped, type WorkspaceScope } from '@trellis/control-db/scoped'
import { sql } from 'kysely'

export interface FrequentQuery {
  readonly file_id: string
  readonly integration_code: string
  readonly sql: string
  readonly runs: number
  readonly people: number
}

export interface Frequency {
  readonly since: Date
  readonly minRuns: number
  readonly limit: number
}

/** Of one person, or of all. */
export async function findFrequentQueries(
  ctx: WorkspaceScope,
  profileId: number | undefined,
  { since, minRuns, limit }: Frequency,
): Promise<FrequentQuery[]> {
  const trimmed = sql<string>`rtrim(sql, E'; \\n\\r\\t')`
  return await scoped(ctx, 'sql_jobs')
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
    .$if(profileId !== undefined, (query) => query.where('profile_id', '=', profileId as number))
    .execute()
}
