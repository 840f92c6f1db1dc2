import type { SparkContent } from '@trellis/contract/sparks/spark-content.schemas'
import { type AccountScope, insertScoped, scoped, type WorkspaceScope } from '@trellis/control-db/scoped'
import { sql } from 'kysely'

export interface VersionRow {
  readonly id: number
  readonly trellis_code: string
  readonly number: number
  readonly note: string
  readonly created_by_name: string | null
  readonly created_at: Date
}

const selectVersions = (ctx: AccountScope, sparkId: number) =>
  scoped(ctx, 'spark_versions')
    .leftJoin('profiles', 'profiles.id', 'spark_versions.created_by')
    .select([
      'spark_versions.id',
      'spark_versions.trellis_code',
      'spark_versions.number',
      'spark_versions.note',
      'spark_versions.created_at',
    ])
    .select(
      sql<string | null>`nullif(trim(concat_ws(' ', profiles.first_name, profiles.surname)), '')`.as('created_by_name'),
    )
    .where('spark_versions.spark_id', '=', sparkId)

export async function findVersions(ctx: AccountScope, sparkId: number): Promise<VersionRow[]> {
  return await selectVersions(ctx, sparkId).orderBy('spark_versions.number', 'desc').execute()
}

export async function findVersion(
  ctx: AccountScope,
  sparkId: number,
  code: string,
): Promise<(VersionRow & { readonly content: SparkContent }) | undefined> {
  const row = await selectVersions(ctx, sparkId)
    .select('spark_versions.content')
    .where('spark_versions.trellis_code', '=', code)
    .executeTakeFirst()
  return row as (VersionRow & { readonly content: SparkContent }) | undefined
}

export async function insertVersion(
  ctx: AccountScope,
  version: {
    spark_id: number
    trellis_code: string
    number: number
    note: string
    content: SparkContent
    created_by: number
    created_at: Date
  },
): Promise<number> {
  const { content, ...row } = version
  const made = await insertScoped(ctx, 'spark_versions', { ...row, content: JSON.stringify(content) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return made.id
}

export async function deleteOldVersions(ctx: AccountScope, sparkId: number, kept: number): Promise<void> {
  await sql`delete from spark_versions v where v.account_id = ${ctx.account.id} and v.spark_id = ${sparkId}
              and v.number <= (select max(number) - ${kept} from spark_versions where spark_id = ${sparkId})
              and not exists (select from sparks s where s.id = ${sparkId} and v.id in (s.latest_version_id, s.pinned_version_id))`.execute(
    ctx.db,
  )
}

export interface UsedTable {
  readonly schema: string
  readonly name: string
}

export interface SourceRow {
  /** The public id by which a spark asks for the rows of this source; `key` is its name inside the spark. */
  readonly based_key: string
  readonly key: string
  readonly integration_code: string
  readonly query_hash: string
  readonly tables: readonly UsedTable[]
}

const SOURCE = [
  'spark_sources.based_key',
  'spark_sources.key',
  'spark_sources.integration_code',
  'spark_sources.query_hash',
  'spark_sources.tables',
] as const

export async function findSources(ctx: AccountScope, versionId: number): Promise<SourceRow[]> {
  const rows = await scoped(ctx, 'spark_sources').select(SOURCE).where('version_id', '=', versionId).execute()
  return rows as unknown as SourceRow[]
}

export async function insertSource(ctx: AccountScope, versionId: number, source: SourceRow): Promise<void> {
  const row = { ...source, tables: JSON.stringify(source.tables), version_id: versionId }
  await insertScoped(ctx, 'spark_sources', row).execute()
}

export interface KeyedSource extends SourceRow {
  readonly version_id: number
  readonly content: SparkContent
  readonly spark_id: number
  readonly spark_stale_since: Date | null
  readonly project_id: number
  readonly shown_id: number
}

export async function findSourceByKey(ctx: WorkspaceScope, basedKey: string): Promise<KeyedSource | undefined> {
  const row = await scoped(ctx, 'spark_sources')
    .innerJoin('spark_versions', 'spark_versions.id', 'spark_sources.version_id')
    .innerJoin('sparks', 'sparks.id', 'spark_versions.spark_id')
    .select(SOURCE)
    .select([
      'spark_versions.id as version_id',
      'spark_versions.content',
      'sparks.id as spark_id',
      'sparks.stale_since as spark_stale_since',
      'sparks.project_id',
    ])
    .select(sql<number>`coalesce(sparks.pinned_version_id, sparks.latest_version_id)`.as('shown_id'))
    .where('spark_sources.based_key', '=', basedKey)
    .where('sparks.workspace_id', '=', ctx.workspace.id)
    .executeTakeFirst()
  return row as unknown as KeyedSource | undefined
}
